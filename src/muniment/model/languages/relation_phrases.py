"""Relation phrases: kin, work and home in five languages without capitals, as data."""

from collections.abc import Mapping
from typing import Final

# Scripts without capitals: kin words, and phrases in which `<kin>` is one of them. `name`, `org`
# and `place` are groups; `who` is a name before the phrase, without which the user is meant.
PLAIN_KIN: Final[Mapping[str, Mapping[str, str]]] = {
    "Chinese": {
        "wife": "妻子|太太|老婆",
        "husband": "丈夫|老公|先生",
        "mother": "妈妈|母亲",
        "father": "爸爸|父亲",
        "sister": "姐姐|妹妹",
        "brother": "哥哥|弟弟",
        "daughter": "女儿",
        "son": "儿子",
        "friend": "朋友",
        "boss": "老板|上司",
        "colleague": "同事",
    },
    "Japanese": {
        "wife": "妻|奥さん",
        "husband": "夫|主人",
        "mother": "母",
        "father": "父",
        "sister": "姉|妹",
        "brother": "兄|弟",
        "daughter": "娘",
        "son": "息子",
        "friend": "友達|友人",
        "boss": "上司",
        "colleague": "同僚",
    },
    "Korean": {
        "wife": "아내|와이프",
        "husband": "남편",
        "mother": "어머니|엄마",
        "father": "아버지|아빠",
        "sister": "누나|언니|여동생",
        "brother": "오빠|형|남동생",
        "daughter": "딸",
        "son": "아들",
        "friend": "친구",
        "boss": "상사",
        "colleague": "동료",
    },
    "Arabic": {
        "wife": "زوجتي",
        "husband": "زوجي",
        "mother": "أمي|والدتي",
        "father": "أبي|والدي",
        "sister": "أختي",
        "brother": "أخي",
        "daughter": "ابنتي|بنتي",
        "son": "ابني",
        "friend": "صديقي|صديقتي",
        "boss": "مديري|مديرتي",
    },
    "Hindi": {
        "wife": "पत्नी",
        "husband": "पति",
        "mother": "माँ|मां|माता",
        "father": "पिता|पापा",
        "sister": "बहन",
        "brother": "भाई",
        "daughter": "बेटी",
        "son": "बेटा|बेटे",
        "friend": "दोस्त|मित्र",
        "boss": "बॉस",
    },
}
PLAIN_PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "Chinese": {
        "kin": r"我的?(?:<kin>)(?:的名字)?(?:名叫|叫|是)(?P<name>[\u4e00-\u9fff]{2,3})",
        "works_at": (
            r"(?P<who>我|[\u4e00-\u9fff]{2,3}?)在(?P<name>[\u4e00-\u9fffA-Za-z]{2,12}?)(?:工作|上班)"
        ),
        "lives_in": r"(?P<who>我|[\u4e00-\u9fff]{2,3}?)(?:现在)?住在(?P<name>[\u4e00-\u9fff]{2,6})",
    },
    "Japanese": {
        "kin": (
            r"私の(?:<kin>)(?:の名前)?は(?P<name>[\u3040-\u30ff\u4e00-\u9fff]{1,6}?)"
            r"(?:です|という|といい|だ)"
        ),
        "works_at": (
            r"(?P<who>私|[\u3040-\u30ff\u4e00-\u9fff]{1,6}?)(?:さん)?は"
            r"(?P<name>[\u30a0-\u30ff\u4e00-\u9fffA-Za-z]{2,12}?)で働いて"
        ),
        "lives_in": (
            r"(?P<who>私|[\u3040-\u30ff\u4e00-\u9fff]{1,6}?)(?:さん)?は"
            r"(?P<name>[\u30a0-\u30ff\u4e00-\u9fff]{1,8}?)に住んで"
        ),
    },
    "Korean": {
        "kin": (
            r"(?:제|내|우리) (?:<kin>)(?:의)?(?: 이름은|는|은|이름은) ?(?P<name>[가-힣]{2,4}?)"
            r"(?:입니다|이에요|예요|이다|이야|야|라고)"
        ),
        "works_at": (
            r"(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) (?P<name>[가-힣A-Za-z]{2,12}?)에서 일"
        ),
        "lives_in": (
            r"(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) (?P<name>[가-힣]{2,8}?)에 (?:살|삽)"
        ),
    },
    "Arabic": {
        "kin": r"(?:<kin>)(?: اسمها| اسمه| هي| هو) (?P<name>[\u0620-\u064a]{2,12})",
        "works_at": (
            r"(?:(?P<who>[\u0620-\u064a]{2,12}) )?(?:أعمل|يعمل|تعمل) (?:في|لدى) "
            r"(?P<name>[\u0620-\u064aA-Za-z]{2,16})"
        ),
        "lives_in": (
            r"(?:(?P<who>[\u0620-\u064a]{2,12}) )?(?:أعيش|يعيش|تعيش|أسكن|يسكن|تسكن) في "
            r"(?P<name>[\u0620-\u064a]{2,16})"
        ),
    },
    "Hindi": {
        "kin": (r"मेर[ीाे] (?:<kin>)(?: का नाम| की)? (?P<name>[\u0900-\u0963]{2,16}) (?:है|हैं)"),
        "works_at": (
            r"(?P<who>मैं|[\u0900-\u0963]{2,16}) (?P<name>[\u0900-\u0963A-Za-z]{2,16}) में काम"
        ),
        "lives_in": r"(?P<who>मैं|[\u0900-\u0963]{2,16}) (?P<name>[\u0900-\u0963]{2,16}) में रह",
    },
}
PLAIN_SELF: Final = frozenset({"我", "私", "저", "나", "मैं"})
# A letter of each script.
SCRIPTS: Final = {
    "Chinese": r"[\u4e00-\u9fff]",
    "Japanese": r"[\u3040-\u30ff]",
    "Korean": r"[\uac00-\ud7a3]",
    "Arabic": r"[\u0620-\u064a]",
    "Hindi": r"[\u0900-\u0963]",
}
