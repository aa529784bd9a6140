"""Italian language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# ── States ──
_IN: Final = r"(?:a|ad|in|nel|nella|nei)"
_NOW: Final = r"(?: ora| adesso| ormai| attualmente)*"

ITALIAN: Final = Language(
    name="Italian",
    relations=RelationWords(
        i="[Ii]o",
        my="mia|mio|nostra|nostro",
        is_called=r"(?:,|\s+(?:è|si\s+chiama))?",
        kin={
            "wife": "moglie",
            "husband": "marito",
            "partner": "compagna|compagno|ragazza|ragazzo",
            "mother": "madre|mamma",
            "father": "padre|papà",
            "sister": "sorella",
            "brother": "fratello",
            "daughter": "figlia",
            "son": "figlio",
            "grandmother": "nonna",
            "grandfather": "nonno",
            "aunt": "zia",
            "uncle": "zio",
            "cousin": "cugina|cugino",
            "friend": "amica|amico",
            "boss": "capo",
            "colleague": "collega",
            "neighbour": "vicina|vicino",
            "pet": "cane|gatto|gatta",
        },
        works_at=r"lavor(?:o|a|ano|iamo) (?:a|in|per|da|alla|presso)",
        lives_in=r"(?:viv(?:o|e|ono) a|abit(?:o|a|ano) a)",
        own_work=r"[Ll]avor(?:o|iamo) (?:a|in|per|da|alla|presso)",
        own_home=(
            r"(?:[Vv]iv(?:o|iamo)|[Aa]bit(?:o|iamo)) a"
            r"|[Mm]i sono trasferit[oa] (?:da (?:[\w-]+ ){1,3})?a"
            r"|[Cc]i siamo trasferit[ei] (?:da (?:[\w-]+ ){1,3})?a"
        ),
        located_in=r"(?:ha sede a|si trova a|è a)",
        married=Marriage(
            signs="sposat[oaie]|sposò",
            between=r"(?:è (?:\w+ )?sposat[oa] con|ha sposato|sposò|si è sposat[oa] con)",
            own=r"[Ss]ono (?:\w+ )?sposat[oa] con|[Hh]o sposato|[Mm]i sono sposat[oa] con",
            and_="e|ed",
            are="(?:si )?sono sposat[ie]",
        ),
        over=RelationEnds(
            signs=(
                r"lavorav(?:o|a|ano)|lavorato|(?:viv|abit)(?:evo|eva|evano|avo|ava|avano)|vissuto"
                r"|abitato|lasciat[oaie]|separat[oaie]|divorziat[oaie]|divorziato|rotto|dimess[oa]"
                r"|licenziat[oa]|in pensione|disoccupat[oa]|perso il"
                r"|(?:viv(?:o|e|ono)|abit(?:o|a|ano)|lavor(?:o|a|ano|iamo)) più"
            ),
            worked_at=(
                r"(?:lavorav(?:o|a|ano)|(?:ho|ha|hanno) lavorato) (?:a|in|per|da|alla|presso)"
            ),
            lived_in=(
                r"(?:(?:viv|abit)(?:evo|eva|evano|avo|ava|avano) a|(?:ho|ha|hanno) (?:vissuto"
                r"|abitato) a)"
            ),
            own_worked=r"(?:[Ll]avoravo|[Hh]o lavorato) (?:a|in|per|da|alla|presso)",
            own_lived=r"(?:[Vv]ivevo|[Aa]bitavo|[Hh]o (?:vissuto|abitato)) a",
            former=r"\bex[- ]?(?=<kin>)",
            parted=(
                r"[Cc]i siamo (?:lasciat|separat|divorziat)[ie]|[Mm]i sono (?:separat|lasciat)[oa]"
                r"|(?:[Hh]o|[Aa]bbiamo) (?:rotto|divorziato)|[Ss]ono (?:divorziat|separat)[oa]"
            ),
            jobless=(
                r"(?:si è (?:dimess|licenziat)[oa]|è (?:stat[oa] licenziat[oa]|in pensione"
                r"|andat[oa] in pensione|disoccupat[oa])|ha perso il lavoro)"
            ),
            own_jobless=(
                r"[Mm]i sono (?:dimess|licenziat)[oa]|[Ss]ono (?:stat[oa] licenziat[oa]"
                r"|in pensione|andat[oa] in pensione|disoccupat[oa])|[Mm]i hanno licenziat[oa]"
                r"|[Hh]o (?:perso|lasciato) il (?:mio )?lavoro"
            ),
        ),
    ),
    speaker=(
        r"\w{2,}iamo|sto|vado|vengo|prendo|pago|peso|corro|canto|fumo|posso|voglio|io|mi|mio|mia"
        r"|miei|mie|noi|nostr[oaie]|sono|ho|vivo|abito|lavoro|preferisco"
        r"|odio|amo|studio|faccio|parlo|uso|gioco|suono|mangio|bevo|guido|siamo|abbiamo"
        r"|viviamo|abitiamo|ci|soffro|colleziono|detesto|adoro"
    ),
    untold=(
        r"(?:puoi|potresti|vuoi|può|potrebbe) |per favore|se|supponiamo|immagina"
        r"|(?:credo|penso|suppongo|spero|capisco|non so|mi chiedo)"
        r"|(?:dimmi|dammi|mostrami|aiutami|spiegami|ricordami)|ho una domanda"
        r"|vorrei (?:sapere|che)"
    ),
    asides="""
        ah allora anche anzi bene comunque correzione dunque ecco finalmente infine infatti
        inoltre insomma invece no ok però poi purtroppo quindi scusa senti sì""",
    courtesies=(
        "certo|certamente|perfetto|nessun problema|congratulazioni|un attimo|volentieri|"
        "va bene|d accordo|capito|grazie|grazie mille|molte grazie|ciao|buongiorno|"
        "buonasera|buonanotte|arrivederci|a domani"
    ),
    accents="àèéìíòóùú",
    unsaid=r"\b(?:in questo momento|al momento|per ora|di questi tempi)\b",
    small="""
        devo posso trova trovo faccio fai sta""",
    shown_by="""
        il lo la i gli le un uno una di del della dello dei degli delle d l al alla allo ai alle
        dal dalla nel nella nei sul sulla e ed o ma io tu lui lei noi voi loro mi ti si ci vi ne è
        sono sei siamo era ero erano ho hai ha abbiamo avete hanno avevo aveva stato stata andato
        andata che chi cosa come dove quando perché quanto quanta quanti quante con per su tra fra
        non più anche molto già mio mia miei mie tuo tua suo sua nostro questo questa quello quella
        ieri oggi domani scorso scorsa fa da in a vado vai va andiamo vanno qui qua lì tutto tutti
        sugli prossimo prossima dell all nell""",
    months=each(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
        " dicembre"
    ),
    months_short=each("gen feb mar apr mag giu lug ago set ott nov dic"),
    weekdays=each("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    units={
        "day": "giorno|giorni",
        "week": "settimana|settimane",
        "month": "mese|mesi",
        "year": "anno|anni",
    },
    spans={
        "week": "settimana",
        "weekend": "fine settimana|weekend",
        "month": "mese",
        "year": "anno",
    },
    numbers={
        2: "due|paio di",
        3: "tre|qualche|alcuni|alcune",
        4: "quattro",
        5: "cinque",
        6: "sei",
        7: "sette",
        8: "otto",
        9: "nove",
        10: "dieci",
        11: "undici",
        12: "dodici",
    },
    ones="un|una|uno",
    half="mezzo",
    monthdays={1: "primo"},
    ordinal="o?",
    days={0: "oggi", -1: "ieri", -2: "l'altro ieri|altro ieri|altroieri|avantieri|ieri l'altro"},
    told_days={1: "(?<!il )domani", 2: "dopodomani|dopo domani"},
    ago=(r"(?:un )?<long> (?:fa|or sono)",),
    from_now=(r"(?:tra|fra) (?:un )?<long>",),
    lately=(r"ultim[ie] <several> <unit>",),
    last=(r"<span> (?:scors|passat)[oa]", r"scors[oa] <span>"),
    this=(r"quest[oa]? <stretch>",),
    next=(r"<span> (?:prossim[oa]|che viene)", r"prossim[oa] <span>"),
    weekday_last=(r"<weekday> della (?:settimana scorsa|scorsa settimana)",),
    weekday_next=(r"<weekday> della (?:settimana prossima|prossima settimana)",),
    dates=(
        r"<day> <mon>\.? <year>",
        r"<day>/<number>/<year>",
        r"<day> <month>",
        r"<month>(?: del)? <year>",
        r"(?:a|ad|in|da|mese di|inizio|metà|fine) <month>",
    ),
    left_alone=(
        r"(?:fino a|fino al|fino alla|entro|prima di|prima del|prima della) (?:il |la |l )?"
        r"(?:domani|dopodomani|prossim[oa] \w+|\w+ (?:prossim|scors)[oa])|a domani"
    ),
    asks_of_then=(
        "era|erano|ero|aveva|avevo|prima|precedent[ei]|vecchi[oa]|originariamente|una volta"
        "|abitav[oa]|vivev[oa]|lavorav[oa]|prendev[oa]"
    ),
    tells_change=(
        "adesso|ormai|in realtà|cambio di (?:programma|piani)|(?<!un )(?<!mezz )(?<!l )ora"
        "|d ora in poi|nuov[oaie]|non [^.!?]*più"
        "|invece|al posto|trasferit[oaie]|traslocato|cambiat[oaie]|spostat[oaie]|rinviat[oaie]"
        "|annullat[oaie]|lasciat[oaie]|vendut[oaie]|mort[oaie]|separat[oaie]|divorziat[oaie]"
        "|sostituit[oaie]|aumentat[oaie]|salit[oaie]|sces[oaie]|ridott[oaie]|smesso|a partire da"
    ),
    ends=(
        "lasciato|chiuso|disdetto|annullato|venduto|abbandonato|smesso(?: di \\w+)?|invece (?:di"
        "|che)"
        "|al posto d\\w+|non|mai|addio|rotto con|divorziat[oa] da|finito"
    ),
    joins="e|ed",
    is_over=(
        "è (?:mort[oa]|chius[oa]|annullat[oa]|finit[oa]|in pensione|andat[oa] (?:via|in pensione)"
        "|tropp[oa] \\w+)"
        "|si è dimess[oa]|e io ci siamo lasciati"
    ),
    looks_ahead=r"prossim[oaei]|che viene|andrò|andremo",
    negations="non mai senza niente nessuno",
    plans=r"vogli(?:o|amo)|vorre(?:i|mmo)|(?:penso|pensiamo) di|ho intenzione|sogno di",
    states_have=(
        "abit|viv|risied|trasferit|spostat|trasloc|indirizzo|lavor|assunt|licenzi|disoccup|pension"
        "|azienda|ditta|casa"
    ),
    states={
        "home": (
            rf"(?<!non )(?<!ci )(?:abito|abitiamo|vivo|viviamo|risiedo){_NOW} {_IN}"
            r" (?!pace\b|casa\b|affitto\b)\w+"
            rf"|(?:mi sono|ci siamo)(?: appena)? (?:trasferit|spostat)[oaie](?: \w+)? {_IN} \w+"
            rf"|(?:ho|abbiamo) traslocato {_IN} \w+|(?:il )?(?:mio|nostro) (?:nuovo )?indirizzo è",
        ),
        "work": (
            rf"(?<!non )(?<!il )(?<!mio )(?<!un )(?<!di )lavoro{_NOW} (?:per|da|in|presso|alla)"
            r" (?!casa\b|un |una |il |la |i |solo\b|ufficio\b)\w+"
            r"|ho (?:iniziato|cominciato) a lavorare (?:per|da|in|presso|alla) \w+"
            r"|mi (?:ha|hanno) assunt[oa]|mi sono licenziat[oa]"
            r"|sono (?:disoccupat[oa]|in pensione)",
        ),
    },
    asks_states={
        "home": (
            r"dove (?:abito|abitiamo|vivo|viviamo|risiedo)"
            r"|in (?:che|quale) (?:città|paese|via|quartiere|posto) (?:abito|vivo|abitiamo|viviamo)"
            r"|qual è il (?:mio|nostro) (?:nuovo )?indirizzo",
        ),
        "work": (
            r"dove lavoro|per chi lavoro|(?:in|per) (?:che|quale) (?:azienda|ditta|società) lavoro"
            r"|(?:chi|qual) è il mio datore di lavoro",
        ),
    },
    long_ago=r"quando (?:ero|avevo)|da (?:bambin|piccol|ragazz)[oa]|una volta|anni fa",
    state_synonyms=(
        ("abito abiti abita vivo", "trasferito trasferita trasferiti traslocato indirizzo"),
    ),
    asks_amount=(
        "quant[oaie]|(?:che|quale|qual è) [^.!?]*?(?:età|numero|taglia|prezzo|codice|dose|peso"
        "|altezza|piano)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:da|fino a|per|a partire da) )?(?:quando|quanto tempo"
        r"|quant[ie] (?:giorni|settimane|mesi|anni|ore)"
        r"|(?:(?:in|a) )?(?:che|quale) (?:giorno|data|mese|anno|settimana|ora))"
    ),
    other_times=(
        "stamattina|stasera|stanotte|mattina|pomeriggio|sera|notte|ora|ore|minuto|minuti"
        "|recentemente|primavera|estate|autunno|inverno|scors[oa]|prossim[oa]"
    ),
)
