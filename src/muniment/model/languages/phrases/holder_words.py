"""Holder words: of whom a statement tells, by the people whom its first words name.

"My neighbour's son is called Emil" is of another than "My son is called Hugo", though it has all of
its words, and so is "My ex-wife". Kin and pets are in the table of each language; here are the
other people of a life, who somebody was or is by marriage, and the small words between them.
A row is `class forms`, and a form is a whole word or `stem*`. Classes are one in all languages.
"""

from collections.abc import Mapping
from typing import Final

FORMER: Final = "former"
# Whoever was one's boss may be told of with who is it now.
POSTS: Final = frozenset({"boss", "doctor", "dentist", "landlord", "trainer", "teacher"})
# What is told of these is never told of those who are called so without it.
NEVER_ONE: Final = frozenset({FORMER, "step", "inlaw"})
# Which of several is meant by these nobody knows.
SEVERAL: Final = frozenset({"child", "parent"})
# Kin who are one person in a life, or are said for each other.
ALIKE: Final = {"wife": "spouse", "husband": "spouse", "partner": "spouse"}
# Endings that kin words of a table take; the other tables have their forms below.
ENDINGS: Final = {
    "English": "s?",
    "German": "(?:es|ens|en|ns|n|s|e)?",
    "French": "s?",
    "Spanish": "s?",
    "Italian": "",
    "Portuguese": "s?",
    "Dutch": "(?:en|s|je|jes)?",
}
PEOPLE: Final[Mapping[str, str]] = {
    "English": """
        neighbour neighbour* neighbor* nextdoor
        parent parents
        child kid kids child children
        dentist dentist dentists
        landlord landlord* landlady
        flatmate flatmate* roommate* housemate*
        tenant tenant tenants lodger*
        trainer trainer* coach
        former ex former
        step step
        inlaw inlaw inlaws
        godchild godson goddaughter godmother godfather""",
    "German": """
        neighbour nachbar* nebenan
        parent eltern
        son söhne söhnen sohnemann
        child kind kinder kinds kindes kindern
        dentist zahnarzt zahnarztes zahnärztin
        landlord vermieter*
        flatmate mitbewohner*
        trainer trainer*
        brother brüder brüdern bruders
        daughter töchter töchtern
        former ex ehemalige* frühere* verstorbene*
        step stief
        inlaw schwieger schwager* schwägerin*""",
    "French": """
        neighbour voisin* dacote
        parent parents
        child enfant enfants
        boss cheffe patrons
        dentist dentiste
        doctor médecin docteur
        landlord propriétaire proprio
        flatmate colocataire* coloc
        former ex ancien ancienne anciens défunt défunte
        inlaw inlaw gendre bru
        grand grand""",
    "Spanish": """
        neighbour vecin* delado
        parent padres
        dentist dentista
        doctor médico médica doctor doctora
        landlord casero casera
        child niños
        pet perr* gat*
        former ex antiguo antigua
        former anterior difunto difunta
        step hijastr* padrastro madrastra hermanastr*
        inlaw suegr* cuñad* yerno nuera""",
    "Italian": """
        neighbour vicin* accanto
        parent genitori
        child figli
        daughter figlie
        sister sorelle
        brother fratelli
        dentist dentista
        doctor medico dottore dottoressa
        landlord padrone
        flatmate coinquilin*
        pet cani gatti
        friend amici amiche
        boss capa
        former ex precedente defunto defunta
        step figliastr* patrigno matrigna fratellastro sorellastra
        inlaw suocer* cognat* genero nuora""",
    "Portuguese": """
        neighbour vizinh* dolado
        parent pais
        dentist dentista
        doctor médico médica
        landlord senhorio senhoria
        pet cães cachorra cachorros
        former ex antigo antiga falecido falecida
        step enteado enteada padrasto madrasta
        inlaw sogro sogra cunhado cunhada genro nora""",
    "Dutch": """
        neighbour buurman* buurvrouw* buren buur buurjongen buurmeisje hiernaast
        parent ouders
        child kind kinderen
        son zonen zoontje
        dentist tandarts
        doctor huisarts dokter
        landlord huisbaas
        flatmate huisgeno*
        friend vrienden
        former ex voormalige vroegere overleden
        step stief
        inlaw schoon zwager*""",
    "Russian": """
        neighbour сосед*
        parent родител*
        child ребёнок ребёнка дети детей
        spouse жен муж жены жене женой мужа мужу мужем супруга супруги супругу
        mother мамы маме мамой матери
        father папы папе папой отцу отцом
        sister сестры сестре сестрой сестёр
        brother брату братом братья братьев
        daughter дочери дочерью дочки дочке
        son сыну сыном сыновья сыновей
        grandmother бабушки бабушке
        grandfather дедушки дедушке
        aunt тёти тёте
        uncle дяди дяде
        friend друзья друзей другу подруги подруге
        boss начальнику начальницы начальнице
        colleague коллеги коллеге
        pet собаки собаке кошки кошке кошек собак пёс пса
        former бывш* прежн* покойн*
        step пасын* падчериц* отчим* мачех*
        inlaw тёщ* тест* свекров* свёк* зять зятя невестк*""",
    "Greek": """
        neighbour γείτον* γειτόνισσα* γειτόνισσας γειτόνων διπλανό* διπλανή* διπλανού
        parent γονείς γονιών γονέων
        child παιδί παιδιά παιδιού
        spouse γυναίκας συζύγου άντρα άνδρα
        mother μητέρας μαμάς
        father πατέρα μπαμπά
        sister αδερφής αδελφής
        brother αδερφού αδελφού
        daughter κόρης
        son γιου γιο
        grandmother γιαγιάς
        grandfather παππού
        friend φίλου φίλης
        dentist οδοντίατρος οδοντιάτρου
        pet σκύλου σκυλί γάτας γάτος
        former πρώην τέως μακαρίτη* μακαρίτισσα*
        step θετό* θετή*
        inlaw πεθερά πεθερός πεθερού πεθεράς κουνιάδος κουνιάδα γαμπρός""",
    "Arabic": """
        neighbour جار جاري جارتي جارنا جارتنا الجار الجارة الجيران جيراني جيراننا
        parent والداي والدي أهلي
        spouse زوجة زوج الزوجة الزوج
        mother أم والدة
        father أب والد
        sister أخت
        brother أخ
        daughter ابنة بنت
        son ابن
        friend صديق صديقة أصدقائي
        boss مدير مديرة
        pet كلب كلبي كلبنا قطة قطتي قطتنا
        former السابق السابقة السابقين المرحوم المرحومة
        inlaw حماتي حماي صهري""",
    "Hindi": """
        neighbour पड़ोसी पड़ोसियों पड़ोसन पड़ोस
        parent माता पिता
        sister बहनों
        daughter बेटियों
        son बेटों
        child बच्चे बच्चों
        friend दोस्तों सहेली
        pet कुत्ता कुत्ते कुत्तिया बिल्ली
        landlord मकानमालिक
        former पूर्व दिवंगत
        step सौतेला सौतेली सौतेले
        inlaw सास ससुर साला साली दामाद बहू""",
}
# Without gaps, or with endings on each word: looked for anywhere in the subject.
LETTERED: Final = {
    "Chinese": """
        neighbour 邻居 鄰居 隔壁 楼上 楼下
        spouse 妻 夫人 前夫 爱人 男朋友 女朋友 男友 女友
        friend 闺蜜
        child 孩子
        pet 狗 猫
        dentist 牙医
        landlord 房东
        flatmate 室友
        former 前(?=[妻夫任男女老上同]) 以前的 已故
        step 继父 继母 继子 继女
        inlaw 岳父 岳母 公公 婆婆 女婿 儿媳""",
    "Japanese": """
        neighbour 隣 近所
        spouse 嫁 旦那 彼女 彼氏 家内
        mother お母
        father お父
        child 子供 子ども
        pet 犬 猫
        dentist 歯医者
        landlord 大家さん
        former 元(?=[妻夫彼カ上同]) 前(?=の|妻|夫) 亡[きく]
        step 継父 継母 連れ子
        inlaw 義理 義父 義母 義兄 義弟 義姉 義妹""",
    "Korean": r"""
        neighbour 옆집 이웃 윗집 아랫집 앞집
        spouse 부인 여자친구 남자친구 전처
        mother 엄마
        father 아빠
        sister 여동생 누나 언니
        child 아이(?!디|스|템|폰) 애들
        pet (?<!\S)개(?=[은는이가의]?(?!\S)) 강아지 고양이
        dentist 치과
        landlord 집주인
        former 전처 전남편 (?<!\S)[전옛](?!\S) 예전
        inlaw 장모 장인 시어머니 시아버지 처남 형부""",
}
# What several words say of somebody, as one word of the rows.
JOINED: Final = {
    "English": (
        (r"\b(?:from )?(?:next door|upstairs|downstairs)\b", " nextdoor "),
        (r"[ -]in[ -](?=laws?\b)", " in"),
        (
            r"\b(?:half|step)[ -]?"
            r"(?=(?:son|daughter|mother|mum|mom|father|dad|brother|sister)s?\b)",
            "step ",
        ),
        (r"\bex(?=(?:wife|husband|boyfriend|girlfriend|partner|boss)\b)", "ex "),
    ),
    "German": (
        (r"\bvon (?:nebenan|gegenuber)\b", " nebenan "),
        (r"\bex-?(?=(?:frau|mann|freund|partner|chef)\w{0,3}\b)", "ex "),
        (
            r"\b(?:halb|stief)-?(?=(?:sohn|tochter|mutter|vater|bruder|schwester)\w{0,2}\b)",
            "stief ",
        ),
        (r"\bschwieger-?(?=(?:sohn|tochter|mutter|vater|eltern)\w{0,2}\b)", "schwieger "),
    ),
    "French": (
        (r"\bd a cote\b", " dacote "),
        (r"\b(?:beau|belle|beaux)[ -](?=pere|mere|fils|fille|frere|soeur|parents)", "inlaw "),
    ),
    "Spanish": (
        (r"\bde al lado\b", " delado "),
        (r"\bex(?=(?:mujer|marido|espos[oa]|novi[oa]|jef[ea]|pareja)\b)", "ex "),
    ),
    "Italian": (
        (r"\bdella porta accanto\b", " accanto "),
        (r"\bex(?=(?:moglie|marito|ragazz[oa]|capo)\b)", "ex "),
    ),
    "Portuguese": ((r"\b(?:do|da casa do) lado\b", " dolado "),),
    "Dutch": (
        (r"\bvan (?:hiernaast|hierboven|hieronder|de overkant)\b", " hiernaast "),
        (r"\bex-?(?=(?:vrouw|man|vriendin|vriend|baas)\b)", "ex "),
        (r"\bstief(?=(?:zoon|dochter|moeder|vader|broer|zus)\b)", "stief "),
        (r"\bschoon(?=(?:zoon|dochter|moeder|vader|broer|zus|ouders)\b)", "schoon "),
    ),
    "Hindi": (("मकान मालिक", "मकानमालिक"),),
}
# Possessives, articles and what says whose it is, between those who are named.
SMALL: Final = {
    "English": "my our the s of a that this",
    "German": (
        "mein meine meiner meinem meinen meines unser unsere unserer unserem unseres der die das"
        " des dem den von vom"
    ),
    "French": "mon ma mes notre nos le la les l de du des d un une",
    "Spanish": "mi mis nuestro nuestra nuestros nuestras el la los las de del un una lo",
    "Italian": (
        "mio mia miei mie nostro nostra nostri nostre il lo la i gli le l di del dello della dell"
        " dei degli delle"
    ),
    "Portuguese": "meu minha meus minhas nosso nossa nossos nossas o a os as de do da dos das",
    "Dutch": "mijn m n onze ons de het van",
    "Russian": (
        "мой моя моё мои моего моей мою моих моему наш наша наше наши нашего нашей нашу наших у"
    ),
    "Greek": "ο η το οι τα του της των τον την μου μας",
    "Arabic": "",
    "Hindi": "मेरा मेरी मेरे हमारा हमारी हमारे का की के को में",
}
# Behind a thing, whose it is: "the number plate of my neighbour".
OF: Final = {
    "English": "of",
    "German": "von vom der des meiner meines unserer unseres",
    "French": "de du des d",
    "Spanish": "de del",
    "Italian": "di del dello della dell dei degli delle",
    "Portuguese": "de do da dos das",
    "Dutch": "van",
    "Greek": "του της των",
}
AND: Final = frozenset(
    ["and", "und", "et", "y", "e", "en", "и", "και", "و", "और", "with", "mit", "avec", "con", "com"]
)
# What one has of somebody, and is one's own: "my doctor's appointment", "my cat food order".
OWN_THINGS: Final = {
    "English": (
        "appointment appointments visit visits food toy toys school class lesson lessons party"
        " wedding meeting meetings review reviews call calls insurance bill bills fee fees"
        " subscription sitter walker bed litter house room surgery day days present gift"
    ),
}
# By name, where names have no capital.
NAMED: Final = {
    "Chinese": r"([小老阿][\u4e00-\u9fff]{1,2})(?:的|家)",
    "Japanese": r"(\w{1,6}?)(?:さん|くん|ちゃん|君|様)の",
    "Korean": r"(?<!\S)(\w{2,4}?)\s?씨(?:의|네)?(?=\s)",
}
# Behind "'s" that is short for "is" or "has", beside all that ends in "ing".
SHORTENED: Final = frozenset(
    word
    for row in (
        "a an the in on at back off out up away been gone got had not just now never still always",
        "sick ill here there taken took made come lost died moved left packed bought sold started",
        "quit decided changed told said asked given fine home married pregnant allergic called",
        "retired",
    )
    for word in row.split()
)
# Where a subject ends, in languages that join their words: at the verb, or behind the topic.
SUBJECT_ENDS: Final = {
    "Chinese": r"(?<![，。,])(?:[是叫在住有对對喜今姓开開养養从從]|的名字|爱(?!人)|最(?!好))",
    "Japanese": r"(?<![、。])[はがも]",
    "Korean": r"(?<=\w)(?:은|는|이|가|도|께서)(?=\s|$)",
}
