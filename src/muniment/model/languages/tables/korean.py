"""Korean language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, Period, each
from muniment.model.languages.relation_words import RelationEnds, RelationPhrases

_NO_WORD: Final = "(?![인민소식연력결외변석걀리])"  # "last owner" begins like "last week"

# ── States ──
# Who lives there is whoever speaks, or stands before it with a particle.
_I: Final = (
    r"(?:^|(?<=[.!?,] )|(?:저는|나는|우리는|전|난|제가|내가) )"
    r"(?:(?![^\s]*[은는이가도] )[^\s]+ ){0,3}?"
)

KOREAN: Final = Language(
    name="Korean",
    small_letters="이그저내제나너우누어무뭐왜",
    relations=RelationPhrases(
        kin={
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
        phrases={
            "kin": (
                r"(?:제|내|우리) (?:<kin>)(?:의)?(?: 이름은|는|은|이름은) ?(?P<name>[가-힣]{2,4}?)"
                r"(?:입니다|이에요|예요|이다|이야|야|라고)"
            ),
            "spouse": (
                r"(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) (?P<name>[가-힣]{2,4}?)"
                r"(?:와|과|이랑|랑|하고) (?:결혼(?!하고 싶)|부부)"
            ),
            "lives_in/moved": (
                r"(?:^|(?:저는|나는|우리는|지난달에|작년에|최근에) )"
                r"(?:[가-힣]{1,8}에서 )?"
                r"(?P<name>[가-힣]{2,8}?)(?:으로|로) 이사"
            ),
            "works_at": (
                r"(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) (?P<name>[가-힣A-Za-z]{2,12}?)에서 일"
            ),
            "lives_in": (
                r"(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) (?P<name>[가-힣]{2,8}?)에 (?:살|삽)"
            ),
        },
        over=RelationEnds(
            former=r"(?<=일)했|(?<=살)았|예전에 |옛날에 |전에 ",
            parted=(
                r"(?:^|우리는? |저희는? |(?:저|나)는 )(?:[가-힣]+(?:이랑|랑|와|과|하고) )?"
                r"(?:헤어졌|이혼했)"
            ),
            jobless=(
                r"(?:^|(?P<who>저|나|[가-힣]{2,4}?)(?:는|은|가|이) )"
                r"(?:회사를 그만|직장을 (?:그만|잃)|일을 그만|퇴사했|퇴직했"
                r"|은퇴했|해고됐|실직)"
            ),
        ),
    ),
    speaker=(
        r"\w*(?:살아요|살고 있|다녀요|다닙니다|일해요|좋아해요|싫어해요|끊었어요|샀어요|이사)\w*"
        r"|(?:누나|언니|오빠|남편|아내|아들|딸|엄마|아빠|어머니|아버지|월세|집주인)\w*"
        r"|나는|난(?= )|내(?= )|내가|나의|저는|전(?= )|제(?= )|제가|저의"
        r"|우리|저희|나한테|저한테|나에게|저에게|나도|저도|나를|저를"
    ),
    unsaid=(
        r"어느|무슨|어디(?:에서|에|서)?|뭐(?:예요|야)|무엇|언제|얼마|누가|누구"
        r"|\b(?:나는|저는|내가|제가|나|저|내|제)(?= )|(?:아|어|여|예|이에)요(?=\W|$)"
    ),
    untold=(
        r"(?:주세요|주실|줄래|줄 수|해 줘|해줘|부탁)|만약|만일|(?:라면|다면)"
        r"|(?:생각해요|생각합니다|것 같아|것 같습|모르겠|이해했|궁금)"
        r"|(?:알려|보여|도와|설명해|말해)|질문이 있"
        r"|(?:까요|나요|습니까|인가요)$|무엇|어디|누구|언제|왜"
    ),
    courtesies=(
        "물론이죠|물론입니다|네 알겠습니다|축하합니다|축하해요|잠시만요|"
        "알겠습니다|알겠어요|알았어|알았어요|확인했습니다|감사합니다|고마워|고마워요|"
        "고맙습니다|천만에요|안녕|안녕하세요|안녕히 계세요|안녕히 가세요|잘 자|좋은 아침"
    ),
    statement_words=56,  # each letter, and each pair
    letters="[\uac00-\ud7a3]",
    edges=(r"(?<!\w)", r"(?!\d)"),  # particles are written in one with the word before them
    gap=" ?",
    months=tuple(f"{n}월|{n:02d}월" for n in range(1, 13)),
    weekdays=each("월요일 화요일 수요일 목요일 금요일 토요일 일요일"),
    units={"day": "일|날", "week": "주|주일", "month": "개월|달", "year": "년|해"},
    spans={"week": "주", "weekend": "주말", "month": "달", "year": "해"},
    # One and two, as they are read in dates, are also "work" and "this".
    numbers={
        1: "한",
        2: "두",
        3: "세|석|삼|몇",
        4: "네|넉|사",
        5: "다섯|오",
        6: "여섯|육",
        7: "일곱|칠",
        8: "여덟|팔",
        9: "아홉|구",
        10: "열|십",
        11: "열한",
        12: "열두",
    },
    wholes={
        "하루": (1, "day"),
        "이틀": (2, "day"),
        "사흘": (3, "day"),
        "나흘": (4, "day"),
        "닷새": (5, "day"),
        "열흘": (10, "day"),
        "보름": (15, "day"),
        "일주일": (1, "week"),
        "반년": (6, "month"),
        "일년": (1, "year"),
        "일 년": (1, "year"),
    },
    days={0: "오늘", -1: "어제|어젯밤|어저께", -2: "그저께|그제(?![야서])"},
    told_days={1: "내일(?! ?모레)", 2: "모레|내일 ?모레"},
    periods=(
        Period("year", -2, "재작년"),
        Period("year", -1, "작년"),
        Period("year", 0, "올해|금년"),
        Period("year", 1, "내년"),
    ),
    ago=(r"(?<!월 )<long> ?전(?![체부화혀자기공쟁문철국달])",),
    within=(r"<long> ?(?:후|뒤)",),
    lately=(r"(?:지난|최근) <long>",),
    last=(rf"지난 ?<span>{_NO_WORD}",),
    this=(rf"이번 ?<stretch>(?!말){_NO_WORD}",),
    next=(rf"다음 ?<span>{_NO_WORD}",),
    weekday_last=(r"지난 ?주 ?<weekday>",),
    weekday_next=(r"다음 ?주 ?<weekday>",),
    dates=(
        r"<year> ?년 ?<month> ?<day> ?일",
        r"<month> ?<day> ?일",
        r"<year> ?년 ?<month>",
        r"<month>",
        r"<year> ?년",
    ),
    left_alone=(
        r"(?:내일|모레|오늘|어제|내년|작년|(?:다음|이번|지난) ?\w+?)(?: \w요일)?까지"
        r"|(?:내일|내년|다음 ?(?:주|달|해)) 전"
    ),
    tells_past=r"\w*[았었했였갔왔됐샀봤났랐렸졌켰썼잤탔]\w*",
    asks_of_then=r"전에|이전|예전|옛날|원래|처음|\w*[었였았했]\w*",
    tells_change=(
        r"이제|사실은|계획 변경|지금은|새|새로운?"
        r"|더 이상|대신|이사\w*|옮\w*|바뀌\w*|바뀐|바꿨\w*|변경\w*|그만\w*"
        r"|팔았\w*|돌아가\w*|헤어\w*|취소\w*|늘[렸었]\w*|줄[였었]\w*|올[렸랐]\w*|내[렸려]\w*|연기\w*|\w*부터"
    ),
    words_before=2,  # of a verb that is always last
    is_over=(
        r"그만\w*|팔았\w*|해지\w*|취소\w*|끊\w*|떠났\w*|포기\w*|죽었\w*|돌아가\w*|은퇴\w*|퇴직\w*|헤어\w*|대신|아니라"
    ),
    looks_ahead=r"다음|예정|내년|\w*거(?:야|예요|에요|다)",
    plans=r"[^ ]*고 싶[^ ]*|[^ ]*려고 [^ ]*|계획",
    states_have="살|삽|산다|이사|거주|주소|집|일|근무|취직|입사|이직|회사|직장",
    states={
        "home": (
            rf"{_I}(?!어디)[^\s]+에서? (?:살아|살고(?! 싶)|삽니다|산다|살게|거주)"
            rf"|{_I}(?!어디)[^\s]+로 이사(?:했|갔|왔|를)",
        ),
        "work": (
            rf"{_I}(?!어디|집|혼자)[^\s]+에서 (?:일해|일하고|일합|근무)"
            rf"|{_I}(?!어디)[^\s]+(?:에 (?:취직|입사)|로 이직)",
        ),
    },
    asks_states={
        "home": (
            r"(?:저|나|우리|내가|제가|난|전)[^\s]* (?:지금 )?어디(?:에서?)? (?:살|사|거주)"
            r"|(?:제|내|우리) (?:집|주소)[^\s]* (?:어디|뭐)",
        ),
        "work": (
            r"(?:저|나|내가|제가|난|전)[^\s]* (?:지금 )?어디(?:에?서)? (?:일|근무)"
            r"|(?:제|내) (?:회사|직장)[^\s]* (?:어디|뭐)",
        ),
    },
    long_ago=r"어릴 때|어렸을 때|예전|옛날|년 전",
    state_synonyms=(("살고 살아 사는", "이사 주소"),),
    asks_amount=("얼마|몇|번호|가격|사이즈|비밀번호|월세|나이"),
    asks_when=(
        r"언제(?![나든])|며칠|몇 ?(?:년|월|일|주|달|개월|시간|시)|얼마나 (?:오래|오랫동안)"
        r"|얼마 ?동안|무슨 요일|어느 (?:해|날|달)"
    ),
    other_times="아침|점심|저녁|밤|오전|오후|최근|봄|여름|가을|겨울|지난|다음",
)
