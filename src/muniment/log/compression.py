"""Compression of entries: deflate, primed with the words that entries are spelled with.

What is stored begins with a byte that says how it was packed, so that another dictionary can follow
this one. A dictionary that was ever written with never changes: what it packed needs it.
"""

import zlib
from typing import Final

from muniment.model.errors import IntegrityError

PLAIN: Final = b"\x00"
PRIMED: Final = b"\x01"  # deflate without a frame, with the words below
WINDOW: Final = -zlib.MAX_WBITS
LEVEL: Final = 6
UNPACKED_BYTES_MAX: Final = 1 << 28  # a damaged stream must not fill the memory

# The rarer first: what stands nearer to the end is cheaper to name.
WORDS: Final = (
    b'","type":"ltm_mirrored","dims":"type":"ltm_embedded","counts":{"validity":{}"scores":{'
    b'"actionability":"confidence":"goal":"importance_min":"novelty_min":"user":'
    b'"type":"memo_kept","memo":{"agent_id":""checksum":""timestamp":"'
    b'"tokens_estimate":"thread":{"channels":["created_at":""last_activity_at":"'
    b'"primary_episode_id":""turn_count":"said":"basis":{"code":""not_a_candidate":"index":"'
    b'"recipe":""words":""channel":"chat","origin":"tool","type":"remembered"'
    b'"kind":"tool_result","importance_ppm":"inactivity_timeout_minutes":"metadata":{'
    b'"embedder":""results_max":"allowed":false,"deterministic_hash":""recalled":['
    b'"reason":"window""turn":"source":"tool","type":"items_archived","item_ids":['
    b'"channel":"engine","role":"engine""subject":"user_"'
    b'"where":"ai""content":""event_type":"fact","like":"'
    b'"kind":"user_input","kind":"actor_output","sem_snapshot_id":""number":"allowed":true,'
    b'"reason":"allowed","parts":[],"model":""vector":""places":["max_percent":"min_percent":'
    b'"visibility":"internal""event_type":"context","reason":"echo_of_receipt""detail":"'
    b'"where":"text""asked":"record_interaction","messages":["type":"record_interaction"'
    b'"type":"memory_denied","episode_id":""source_seq":"origin":"user","type":"episodic",'
    b'"source_id":""source":"ai","ai_profile":"ada","owners":{"system":"system",'
    b'"space":"user","thread_id":""visibility":"external""places":{'
    b'"authority":"user_asserted","loop_id":""origin":"agent","form":"entry","source":"agent"'
    b'"type":"episodic_written","payload":null,"lines":"type":"memory_echo",'
    b'"created_seeded_ts":""reflective_log_id":""type":"conversation""authority_reason":"'
    b'"type":"item_written","item":{"meta":{"importance_reason":["phase_id":"'
    b'"phase_reason":"auto","policy_tags":["scope":"session","evidence":[],"phase":""owner":"'
    b'"trace_id":""space":"session","role":"user""budget":0,"repeated":0,"type":"remember"'
    b'"session":""type":"record_context","job_seed":""asked":"record_context",'
    b'"type":"context_assembled","source":"user","ledger":"kind":"semantic","summary":"'
    b'"importance":"asked":"remember","call":"context","type":"conversation","tags":['
    b'"reasons":["asked":"record_recall","type":"record_recall""type":"memory_recall",'
    b'"kind":"short_term","type":"remembered","n":"pool":0,"types":["type":"semantic"'
    b'"at":"filtered":0,"in_working_memory":0,"replaced":0,"filters":{"spent":['
    b'"type":"consciousness""type":"working""type":"goals""type":"facts""type":"profile"'
    b'"type":"consolidated""type":"skills""digest":""importance_min_ppm":0,"include":['
    b'"origins":[],"recent":true,"tags":[],"top_k":0,"types":[],"budget_tokens":"call":"recall'
    b'","as_of":""dropped":{"task_id":""handed":""subject":"user_","receipt_id":""text":"'
    b'"taken":"used":"considered":"role":"agent""job":"channel":"api","actor":""detector":"'
    b'"operation":""type":"received","command":{"query":""reads":{"job":0,'
    b'"bucket":"commitment":""body":{"cause":"seq":"tick":0,"v":"ts":""policy":""id":""note":"'
    b'"episodic_id":""allocated":"sem_snapshot_hash":"'
)


def pack(data: bytes) -> bytes:
    """The same bytes in fewer, or as they are where nothing is saved."""
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, zdict=WORDS)
    packed = packing.compress(data) + packing.flush()
    return PRIMED + packed if len(packed) < len(data) else PLAIN + data


def unpack(packed: bytes) -> bytes:
    form, data = packed[:1], packed[1:]
    if form == PLAIN:
        return data
    if form != PRIMED:
        raise IntegrityError("stored data has an unknown compression")
    unpacking = zlib.decompressobj(WINDOW, zdict=WORDS)
    try:
        told = unpacking.decompress(data, UNPACKED_BYTES_MAX)
    except zlib.error:
        raise IntegrityError("stored data cannot be decompressed") from None
    if not unpacking.eof or unpacking.unused_data:
        raise IntegrityError("stored data cannot be decompressed")
    return told
