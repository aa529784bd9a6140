"""What Japanese says of time and for politeness."""

from typing import Final

from muniment.model.languages.language_table import DIGIT_EDGES, Language, Period
from muniment.model.languages.relation_words import RelationPhrases
from muniment.model.languages.tables import han

# ── States ──
_ME: Final = "(?:私|わたし|僕|ぼく|俺|おれ|うち)(?:たち|達)?"
_I: Final = rf"(?:^|[。、，,.!?！？：:\s]|{_ME}(?:は|が|も)、?)"
_BY_NOW: Final = "(?:今は?|いまは?|現在は?|最近|先月|先週|去年|もう|ずっと|、)*"
_PLACE: Final = r"(?!どこ|何|なに|どの)[^\sはがを、。，,：:]{1,14}?"
_LIVES: Final = (
    rf"{_PLACE}[にへで](?:も?住(?:んで|み始)|暮らし(?:て|始)"
    r"|(?:引っ?越|転居|移住)し(?!た[いら])|移り住ん)"
)
_WORKS: Final = rf"{_PLACE}(?:で(?:も?働|勤務)|に(?:勤め|就職|転職|入社|勤務)|へ(?:転職|移))"
_HIM: Final = (
    rf"(?:^|[。、，,.!?！？：:\s]|の)(?!{_ME}|今|現在|彼)<who>(?:さん|くん|ちゃん)?は、?{_BY_NOW}"
)
_HOME: Final = "(?:新しい)?(?:家|自宅|マンション|アパート|部屋|住まい|住所)"
_FIRM: Final = "(?:新しい|今の)?(?:会社|勤め先|勤務先|職場|就職先)"
_WHERE: Final = "(?:どこ|何処|どの[^は。]{1,4})"

JAPANESE: Final = Language(
    name="Japanese",
    small_letters="私何",
    relations=RelationPhrases(
        kin={
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
        phrases={
            "kin": (
                r"私の(?:<kin>)(?:の名前)?は(?P<name>[\u3040-\u30ff\u4e00-\u9fff]{1,6}?)"
                r"(?:です|という|といい|だ)"
            ),
            "kin/name": (
                r"(?:<kin>)の名前は(?P<name>[\u3040-\u30ff\u4e00-\u9fff]{1,6}?)(?:さん)?(?:です|だ)"
            ),
            "kin/honorific": (
                r"(?:<kin>)は(?P<name>[\u30a0-\u30ff\u4e00-\u9fff]{1,6}?)さん(?:です|だ)"
            ),
            "lives_in/moved": (
                r"(?:^|私は、?|僕は、?|先月|去年|最近|今年)(?P<name>[\u30a0-\u30ff\u4e00-\u9fff]{1,8}?)(?:に|へ)引っ越し"
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
    ),
    speaker=(
        r"私|わたし|僕|ぼく|俺|おれ|うち|あたし|我が家|我々|弊社|自分"
        r"|(?:母|父|妻|夫|姉|妹|兄|弟|息子|娘|犬|猫|上司|彼女|彼氏)(?:は|の|が)"
        r"|アレルギー|好き|嫌い|苦手|住んで|勤めて|働いて"
    ),
    untold=(
        r"(?:ください|下さい|くれる|くれます|もらえ|いただけ|お願い)|もし|(?:たら|れば).*か"
        r"|(?:と思います|と思う|かもしれ|わかりません|知りません|分かりません)|教えて|見せて|手伝って"
        r"|(?:ですか|ますか|でしょうか|のか|かな)。?$|何|どこ|誰|いつ|なぜ"
    ),
    courtesies=(
        "もちろん|もちろんです|かしこまりました|おめでとうございます|少々お待ちください|"
        "了解|了解です|了解しました|わかりました|分かりました|承知しました|"
        "承知いたしました|ありがとう|ありがとうございます|ありがとうございました|どうも|"
        "どういたしまして|こんにちは|こんばんは|おはよう|おはようございます|おやすみ|"
        "おやすみなさい|さようなら|お疲れ様です|お疲れさまです"
    ),
    statement_words=56,  # each letter, and each pair
    letters="[\u3041-\u30fa]",
    edges=DIGIT_EDGES,
    gap=" ?",
    unsaid=(
        "どこ[にでへ]?|いつ|だれ|誰|何時|ど[のれ][くぐ]らい|いくら|どんな"
        "|(?:[てで]い|り|し)?ますか|ですか"
    ),
    months=han.MONTHS,
    weekdays=tuple(f"{day}曜日|{day}曜" for day in "月火水木金土日"),
    units={
        "day": "日",
        "week": "週間|週",
        "month": "か月|ヶ月|カ月|ヵ月|ケ月|箇月",
        "year": "年",
    },
    spans={},
    numbers={**han.NUMBERS, 3: "三|数"},
    wholes={"半年": (6, "month")},
    monthdays=han.MONTHDAYS,
    days={
        0: "今日|本日",
        -1: "昨日|昨夜|昨晩|きのう",
        -2: "一昨日|おととい",
    },
    told_days={1: "明日|あした(?!ば)", 2: "明後日|あさって"},
    periods=(
        Period("week", -2, "先々週|先先週"),
        Period("weekend", -1, "先週の?(?:週末|末)"),
        Period("week", -1, "先週(?!の?(?:週末|末))"),
        Period("week", 0, "今週(?!末)"),
        Period("weekend", 1, "来週の?(?:週末|末)"),
        Period("week", 1, "(?<!再)来週(?!の?(?:週末|末))"),
        Period("week", 2, "再来週"),
        Period("month", -2, "先々月|先先月"),
        Period("month", -1, "先月"),
        Period("month", 0, "今月"),
        Period("month", 1, "(?<!再)来月"),
        Period("month", 2, "再来月"),
        Period("year", -2, "一昨年|おととし"),
        Period("year", -1, "去年|(?<!一)昨年"),
        Period("year", 0, "今年|ことし"),
        Period("year", 1, "(?<!再)来年"),
        Period("year", 2, "再来年"),
    ),
    ago=(rf"{han.NOT_COUNTED}<long>(?:ほど|くらい|ぐらい)?前(?![後半期])",),
    within=(rf"{han.NOT_COUNTED}<long>後",),
    lately=(r"(?:ここ|この|過去)<long>",),
    last=(r"(?:この前|こないだ)の<weekday>",),
    weekday_last=(r"先週の?<weekday>",),
    weekday_next=(r"(?<!再)来週の?<weekday>",),
    dates=(
        r"<year> ?年 ?<month> ?<day> ?日",
        r"<month> ?<day> ?日",
        r"<year> ?年 ?<month>",
        r"(?<!毎年)<month>",
        r"<year> ?年",
    ),
    left_alone=(
        r"(?:明日|明後日|昨日|今日|去年|昨年|[今来先](?:週|月|年))(?:の?[月火水木金土日]曜日?)?まで"
    ),
    tells_past=r"(?:た|だ)(?:[。、!?\s]|$|の|よ|ね|ん|か|け|と|ら)",
    asks_of_then="以前|(?<![名午])前[はの]|昔|元の|もともと|最初|かつて|でした|だった|ました|ていた",
    tells_change=(
        "今[はで]|今日から|これから|もう|新し|新た|変更|変わ|変え|引っ越|引越|転居|転職|辞め|やめ"
        "|売っ|売り|亡くな|別れ|離婚|中止|キャンセル|延期|代わり|に(?:なりました|なった|なって)|なくな|始め"
        "|最近|現在|実は|やっぱり|取り消|取りや|切り替|乗り換|移[っり]|ずれ|早ま|飽き|卒業|(?:では|じゃ)なく"
        r"|\d{0,2}[月日]から|結果"
    ),
    words_before=2,  # of a verb that is always last
    is_over=(
        "を(?:辞め|やめ|売|解約|キャンセル|中止|手放|卒業|離れ|退職|退会|捨て|取り消|断|控え|譲)"
        "|[はが](?:もう|嫌い|苦手|飽き|キャンセル|延期|取り消|売|変わ)|に(?:は|も)?飽き|から(?=.{1,12}に)"
        "|[はが](?:辞め|やめ|亡くな|死|引退|退職|閉店|中止|終わ|なくな)|と(?:別れ|離婚)|の代わり"
        "|(?:では|じゃ)(?:な[いくか]|ありません)"
    ),
    looks_ahead="予定|つもり|でしょう|来(?:週|月|年)",
    states_have="住|暮|引|転|移|家|宅|マンション|アパート|部屋|働|勤|就職|入社|会社|職",
    states={
        "home": (
            rf"{_I}{_BY_NOW}{_LIVES}|{_ME}の{_HOME}は(?!どこ|何)\w"
            rf"|{_ME}[がの](?:住んで|暮らして)い?る(?:の|ところ|所|場所|町|街)は(?!どこ|何)\w",
            rf"{_HIM}{_LIVES}",
        ),
        "work": (
            rf"{_I}{_BY_NOW}{_WORKS}|{_ME}の{_FIRM}は(?!どこ|何)\w"
            rf"|{_ME}[がの](?:働いて|勤めて)い?る(?:の|ところ|所|会社)は(?!どこ|何)\w",
            rf"{_HIM}{_WORKS}",
        ),
    },
    asks_states={
        "home": (
            rf"{_I}{_BY_NOW}{_WHERE}[にで](?:住|暮ら)|{_ME}の{_HOME}は{_WHERE}"
            rf"|{_ME}[がの](?:住んで|暮らして)い?る(?:の|ところ|所|場所|町|街|市|国)?は(?:どこ|何)",
            rf"{_HIM}{_WHERE}[にで](?:住|暮ら)",
        ),
        "work": (
            rf"{_I}{_BY_NOW}{_WHERE}(?:で働|に勤め|で勤務)|{_ME}の{_FIRM}は(?:どこ|何)"
            rf"|{_ME}[がの](?:働いて|勤めて)い?る(?:の|ところ|所|会社)?は(?:どこ|何)",
            rf"{_HIM}{_WHERE}(?:で働|に勤め|で勤務)",
        ),
    },
    long_ago="昔|以前|子供の頃|子どもの頃|かつて|当時",
    state_synonyms=(
        ("働", "辞め 転職 入社"),
        ("車", "売り 売っ 買い 買っ"),
        ("住", "引っ 住所 転居"),
    ),
    asks_amount=(
        "いくら|何(?:歳|人|個|番|階|キロ|センチ|円|回|本|匹)|いくつ|番号|値段|サイズ|暗証|家賃"
    ),
    asks_when=(
        r"いつ(?!も|か(?!ら)|の間)|何(?:年|月|日|曜日|時|週間|か月|ヶ月|カ月)"
        r"|どの(?:くらい|ぐらい)(?:の(?:期間|間|時間)|前|長く)|どれ(?:くらい|ぐらい)(?:の間|前|長く)"
    ),
    other_times="朝|夜|夕方|午前|午後|時間|分間|最近|先日",
)
