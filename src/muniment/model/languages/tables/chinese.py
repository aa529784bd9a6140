"""Chinese language table, traditional and simplified: times, states, changes, courtesies."""

from typing import Final

from muniment.model.languages.language_table import DIGIT_EDGES, Language, Period
from muniment.model.languages.relation_words import RelationEnds, RelationPhrases
from muniment.model.languages.tables import han

_ITEM: Final = "(?:个|個)?"
_WEEK: Final = "(?:周|週|星期|礼拜|禮拜)"
# "Last week" goes on as "last Monday", unless what follows makes another word: 上周一直, 上周日本.
_NO_NAME: Final = "(?![本气氣直起样樣共些个個位次])"
_NO_DAY: Final = f"(?![一二三四五六日天]{_NO_NAME})(?![末围圍])"
# "On the net" and "in the evening" end with the sign of the last week, "downstairs" of the next.
_UP: Final = "(?<![楼樓路早晚网網线線以马馬街身手桌地船车車书書海])上"
_DOWN: Final = "(?<![楼樓地以之乡鄉底手当當水树樹])下"

# ── States ──
_START: Final = r"^|[，。,.!?！？：:；;、\s]"
_I: Final = rf"(?:{_START}|我们|我們|我)"
_BY_NOW: Final = "(?:现在|現在|目前|如今|已经|已經|刚刚|刚|剛|最近|一直|就|也|还|還|都)*"
_NO_ASK: Final = "(?![哪什啥谁誰])"
_NOBODY: Final = "(?![的们們我你您他她它现現目如已刚剛最一就也还還都搬住在])"
_HIM: Final = rf"(?:{_START}|我的?){_NOBODY}<who>{_BY_NOW}"
_LIVES: Final = rf"(?:(?:居住|定居|住)在|搬(?:家)?(?:到|去|回|进|進)了?){_NO_ASK}\w"
_WORKS: Final = (
    rf"在{_NO_ASK}(?!家|线|線|努力|认真|認真|忙)[^，。,!?！？]{{1,16}}?"
    "(?:工作|上班|任职|任職|就职|就職|[当當](?![时時年天初地然前场場]))"
)
_HOME: Final = "(?:新)?(?:家|公寓|房子|住处|住處|住址|地址)"
_FIRM: Final = "(?:新)?(?:公司|单位|單位|雇主|东家|東家|工作单位)"

# What never makes a word with its neighbour; "以前" and "诊所" are words.
_LOOSE: Final = "的了是在我你您他她它们們这這那就也吗嗎呢吧啊谁誰把被"

CHINESE: Final = Language(
    name="Chinese",
    small_letters=f"{_LOOSE}有和不都什么麼哪里裡裏个個之与與及或从從到给給对對为為以于於所而但",
    seams=f"[{_LOOSE}].|.[{_LOOSE}]",
    relations=RelationPhrases(
        kin={
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
        phrases={
            "kin": r"我的?(?:<kin>)(?:的名字)?(?:名叫|叫|是)(?P<name>[\u4e00-\u9fff]{2,3})",
            "works_at": (
                r"(?P<who>我|[\u4e00-\u9fff]{2,5}?)在(?P<name>[\u4e00-\u9fffA-Za-z]{2,12}?)(?:工作|上班)"
            ),
            "spouse": (
                r"(?P<who>我|[\u4e00-\u9fff]{2,4}?)(?:已经)?(?:跟|和|与|與)(?P<name>[\u4e00-\u9fff]{2,4}?)"
                r"(?:已经)?(?:结婚|結婚|结了婚|結了婚|是夫妻|是夫婦)"
            ),
            "spouse/wed": (
                r"(?P<who>我|[\u4e00-\u9fff]{2,4}?)(?:娶了?|嫁给了?|嫁給了?)(?P<name>[\u4e00-\u9fff]{2,4})"
            ),
            "lives_in": (
                r"(?P<who>我|[\u4e00-\u9fff]{2,3}?)(?:现在)?住在(?P<name>[\u4e00-\u9fff]{2,6})"
            ),
            "lives_in/moved": (
                r"(?:^|[，,。])(?:我们|我)?(?:刚刚|刚|已经|最近|去年)?"
                r"(?:从[\u4e00-\u9fff]{2,6}?)?搬(?:到|去)了?"
                r"(?P<name>[\u4e00-\u9fff]{2,6}?)(?=[了住]|生活|工作|[^\u4e00-\u9fff]|$)"
            ),
        },
        over=RelationEnds(
            former=r"以前|曾经|曾|原来|过去",
            parted=r"我们(?:已经|最近|刚)?(?:分手|离婚|離婚)|我(?:(?:跟|和|与).{1,6}?)?(?:分手|离婚|離婚)了",
            jobless=r"(?P<who>我|[\u4e00-\u9fff]{2,4}?)(?:已经|刚|最近)?(?:辞职|离职|失业|退休|被(?:解雇|开除|裁))",
        ),
    ),
    speaker=(
        r"儿子|女儿|老婆|老公|妻子|丈夫|姐姐|哥哥|家里|房租|房东|打算|决定|戒了|我|我们|我們|咱们|咱們|俺|本人"
    ),
    untold=(
        r"请|請|如果|要是|假如|假设|假設|想象|你能|您能|能不能|可不可以|可以.*(?:吗|嗎)"
        r"|我(?:觉得|覺得|认为|認為|想知道|想问|想問|不知道|不明白|明白了|希望你|需要你|有个问题|有個問題)|告诉我|告訴我|帮我|幫我|给我|給我"
        r"|提醒我|吗|嗎|呢$|什么|什麼|哪里|哪裡|谁|誰|怎么|怎麼|为什么|為什麼"
    ),
    courtesies=(
        "当然|當然|没问题|沒問題|太好了|恭喜|稍等|"
        "好的|知道了|明白|明白了|收到|谢谢|謝謝|谢谢你|謝謝你|多谢|多謝|不客气|"
        "不客氣|你好|您好|早上好|早安|晚上好|晚安|再见|再見"
    ),
    statement_words=56,  # each letter, and each pair
    letters="[\u4e00-\u9fff]",
    not_letters="[\u3041-\u30ff\uac00-\ud7a3]",
    edges=DIGIT_EDGES,
    gap=" ?",
    unsaid=(
        "哪里|哪裡|哪[个個家天年些]|哪儿|哪兒|什么时候|什麼時候|什么|什麼|多少|几点|幾點|怎么样|怎麼樣|怎么|怎麼"
        "|目前|现在|現在|如今|眼下|[谁誰吗嗎呢]"
    ),
    months=han.MONTHS,
    weekdays=tuple(
        "|".join(f"{week}{day}" for week in ("周", "週", "星期", "礼拜", "禮拜") for day in days)
        for days in ("一", "二", "三", "四", "五", "六", "日天")
    ),
    units={
        "day": "天|日",
        "week": "周|週|星期|礼拜|禮拜|个星期|個星期|个礼拜|個禮拜",
        "month": "个月|個月",
        "year": "年",
    },
    spans={},
    numbers={**han.NUMBERS, 2: "二|两|兩", 3: "三|几|幾"},
    wholes={"半年": (6, "month"), "半个月": (15, "day"), "半個月": (15, "day")},
    monthdays=han.MONTHDAYS,
    days={
        0: "今天|今日",
        -1: "昨天|昨日|昨晚|昨夜",
        -2: "(?<![以从從之])前天(?!天)",
        -3: "大前天",
    },
    # What comes after birth is not the day after tomorrow.
    told_days={
        1: "(?<![发發])明天|明日|明早|明晚",
        2: "(?<!先天)(?<!先天和)(?<!先天与)(?:后|後)天(?![性的努失免获養养教因])",
        3: "大后天|大後天",
    },
    periods=(
        Period("weekend", -1, f"{_UP}{_ITEM}(?:周|週)末"),
        Period("week", -1, f"{_UP}{_ITEM}{_WEEK}{_NO_DAY}"),
        Period("week", 0, f"(?:这|這){_ITEM}{_WEEK}{_NO_DAY}|本(?:周|週){_NO_DAY}"),
        Period("week", 1, f"{_DOWN}{_ITEM}{_WEEK}{_NO_DAY}"),
        Period("weekend", 1, f"{_DOWN}{_ITEM}(?:周|週)末"),
        Period("month", -1, f"{_UP}(?:个|個)月"),
        Period("month", 0, "(?:这|這)(?:个|個)月|本月"),
        Period("month", 1, f"{_DOWN}(?:个|個)月"),
        Period("year", -2, "前年(?!度)"),
        Period("year", -1, "去年"),
        Period("year", 0, "今年"),
        Period("year", 1, "明年"),
        Period("year", 2, "(?:后|後)年(?!级|級)"),
    ),
    ago=(rf"{han.NOT_COUNTED}<long>(?:以|之)?前(?![后後天途面期半])",),
    within=(rf"{han.NOT_COUNTED}<long>(?:以|之)?(?:后|後)",),
    lately=(r"(?:最近|过去|過去)的?<long>",),
    weekday_last=(f"{_UP}{_ITEM}<weekday>{_NO_NAME}",),
    weekday_next=(f"{_DOWN}{_ITEM}<weekday>{_NO_NAME}",),
    dates=(
        r"<year> ?年 ?<month> ?<day> ?[日号號]",
        r"<month> ?<day> ?[日号號]",
        r"<year> ?年 ?<month>",
        r"(?<!每年)<month>(?![怀懷])",
        r"<year> ?年",
    ),
    left_alone=(
        r"(?:直到|截至|等到|到)(?:明天|后天|後天|昨天|明年|去年|下(?:个|個)?(?:周|週|星期|月))"
        r"|(?:明天|后天|後天|明年|下(?:个|個)?(?:周|週|星期|月).?)(?:之|以)?前"
    ),
    tells_past="了|过|過|当时|當時",
    asks_of_then="以前|之前|从前|從前|原来|原來|原先|曾经|曾經|过去|過去|当时|當時|最初|本来|本來",
    tells_change=(
        "现在|現在|其实|其實|计划变了|計劃變了|如今|目前|不再|新|改|换|換|搬|离开了?|離開|辞职|辭職|卖|賣|去世|分手|离婚|離婚"
        "|跳槽|转到|轉到|转行|轉行|延期|延后|延後|更正|更新|变|變|不[^，。]{1,12}了"
        "|取消|推迟|推遲|提前|停|升级|升級|调整|調整|涨|漲|升到|降到|把[^，。]{1,10}到|升[一二三四五六七八九十初高大]|退休|[从從].{1,6}起|结果|結果|其实|其實"
    ),
    ends=(
        "离开了?|離開了?|辞掉了?|辭掉了?|[关關]了|取消了?|[卖賣]掉?了|退了|戒了|不再|告别|放弃|放棄|[看读]完了?"
        "|不(?:是|叫|在|喝|吃|用|住|去|想|要|喜欢|喜歡|爱|愛)|并非|並非|而非|没有|沒有|代替|取代|换掉了?|換掉了?"
        "|[从從](?=[^，。]{1,12}[辞辭离離搬换換跳退转轉])|把(?=[^，。]{1,10}(?:[卖賣换換退送关關扔]|取消))"
    ),
    is_over=(
        "去世|死了|[报報][废廢]|走了|退休|辞职|辭職|离职|離職|[关關][门門]了|取消了|[结結]束了|分手|[离離]婚|[没沒]了|[卖賣]掉?了|不在了"
        "|(?:之后|之後|以后|以後)(?=.{0,4}(?:又|再|换|換|养|養|买|買))|(?:换|換|改)成|(?:我|我们|我們)?(?:喝|吃|用)?(?:腻|膩)了|不(?:算|作)数|错了|錯了"
    ),
    looks_ahead="将|將|打算|计划|計劃|明年|下(?:个|個)",
    plans="想(?:要|住|去|搬|买|買|换|換|养|養)|打算|计划|計劃|希望",
    states_have="住|搬|家|公寓|房子|地址|工作|上班|当|當|任|就|公司|单位|單位|雇主|失业|失業|退休",
    states={
        "home": (
            rf"{_I}{_BY_NOW}{_LIVES}|我(?:的|们的|們的)?{_HOME}{_BY_NOW}(?:是|在){_NO_ASK}\w",
            rf"{_HIM}{_LIVES}",
        ),
        "work": (
            rf"{_I}{_BY_NOW}{_WORKS}|我(?:的|们的|們的)?{_FIRM}{_BY_NOW}(?:是|叫){_NO_ASK}\w"
            rf"|我{_BY_NOW}(?:失业|失業|退休|入职|入職|加入)了",
            rf"{_HIM}{_WORKS}",
        ),
    },
    asks_states={
        "home": (
            rf"我(?:们|們)?{_BY_NOW}(?:居住|住)在?(?:哪|什|啥)"
            rf"|我(?:的|们的|們的)?{_HOME}{_BY_NOW}(?:是|在)(?:哪|什)",
            rf"{_HIM}(?:居住|住)在?(?:哪|什|啥)",
        ),
        "work": (
            rf"我{_BY_NOW}在(?:哪|什|啥)[^，。,]{{0,6}}(?:工作|上班|任职|任職)|我{_BY_NOW}(?:为|為|给|給)谁工作"
            rf"|我(?:的)?{_FIRM}{_BY_NOW}(?:是|叫)(?:哪|什|谁|誰)",
            rf"{_HIM}在(?:哪|什|啥)[^，。,]{{0,6}}(?:工作|上班|任职|任職)",
        ),
    },
    long_ago="小时候|小時候|以前|曾经|曾經|当年|當年|那时|那時",
    subjects=(
        "住 家 租房 定居 搬家 地址 城市",
        "工作 上班 公司 东家 录用 跳槽 毕业",
        "老板 领导 上司 负责 负责人 主管",
        "饮料 爱喝 喜欢 喝",
        "看牙 牙医 预约",
        "职业 干什么 从事 哪一行 工作",
    ),
    state_synonyms=(
        ("工作 上班", "离开 离职 辞职 入职"),
        ("车 車", "卖了 卖掉 买了"),
        ("住", "搬家 搬到 地址"),
    ),
    asks_amount=(
        "多少|几|幾|多大|多高|多重|多长|多長|号码|號碼|密码|密碼|价格|價格|尺码|尺碼|房租"
    ),
    asks_when=(
        "什么时候|什麼時候|啥时候|何时|何時|哪(?:一)?(?:天|年|日|周|个月|個月)|几月几[号日]|几号|幾號"
        "|几点|幾點|多久|多长时间|多長時間|多少(?:天|年|个月|個月|周|个星期|個星期)"
        "|(?<![这這好前])几(?:天|年|个月|周|个星期)(?![前后])"
    ),
    other_times="早上|上午|中午|下午|晚上|小时|小時|分钟|分鐘|最近|春天|夏天|秋天|冬天|点钟|點鐘",
)
