"""Topic words: under which heading of a profile a sentence stands, in fourteen languages.

A word with a star stands for all that begin with it. In scripts that put no space between words,
and in those that write endings and prefixes onto them, a word counts wherever it occurs.
"""

import re
from typing import Final

HEALTH, WHO, PREFERENCES = "Health", "Who", "Preferences"
PEOPLE, HOME, PLANS, WORK = "People", "Home", "Plans", "Work"

# In this order: the first heading whose words occur takes the line.
WORDS: Final[dict[str, str]] = {
    HEALTH: """
        hay_fever fever migraine* hospital* pregnan* intoleran*
        allerg* doctor* medic* diabet* asthma* vegan* vegetarian* diet pill pills illness sick
        arzt ärztin krank* diabetes unverträglich* alergi* alérgi* médic* enferm* vegetarian*
        médecin* malade* végétarien* dieta doente* malat* dottore ziek* huisarts
        аллерг* врач* лекарств* болен больна диабет* αλλεργ* γιατρ* άρρωστ*""",
    WHO: """
        my_name name: birthday years_old timezone time_zone language call_me i_am_called
        ich_heiße mein_name geburtstag jahre_alt zeitzone me_llamo mi_nombre cumpleaños
        je_m'appelle mon_nom anniversaire meu_nome me_chamo aniversário mi_chiamo il_mio_nome
        compleanno mijn_naam ik_heet verjaardag меня_зовут моё_имя мое_имя день_рождения
        με_λένε γενέθλια""",
    PREFERENCES: """
        prefer* favorite* favourite* i_like i_love i_hate i_really_like i_really_love i_always
        i_never rather_not lieblings* ich_mag bevorzuge* ich_liebe ich_hasse prefier* favorit*
        me_gusta* me_encanta* odio préfèr* préféré* j'aime j'adore je_déteste prefir* gosto adoro
        preferisc* preferit* mi_piace* voorkeur lievelings* ik_hou_van предпоч* любим* люблю
        нравит* ненавижу προτιμ* αγαπημέν* μου_αρέσει""",
    PEOPLE: """
        sister* brother* mother father mum mom dad parents wife husband partner my_son daughter
        friend friends dog cat neighbour* neighbor* landlord* landlady schwester bruder mutter
        vater eltern frau mann sohn tochter freund* hund katze nachbar* hermana hermano madre
        padre esposa marido hijo hija amigo amiga perro gato vecin* sœur frère mère père épouse
        fils fille ami amie chien voisin* irmã irmão mãe pai filho filha cachorro
        vizinh* sorella fratello moglie marito figlio figlia amico amica cane vicin* zus broer
        moeder vader vrouw zoon dochter vriend* hond kat buur* сестр* брат* мать мама отец папа
        жен* муж сын* доч* друг* подруг* собак* кошк* сосед* αδελφ* μητέρα πατέρας γυναίκα
        άντρας γιος κόρη φίλ* σκύλ* γάτα""",
    HOME: """
        i_live i_moved moved_to flat apartment house address wohne wohnung haus adresse umgezogen
        vivo_en me_mudé piso apartamento mi_casa dirección j'habite déménagé appartement maison
        adresse moro_em mudei endereço minha_casa vivo_a abito casa_mia trasferit* appartamento
        indirizzo ik_woon verhuisd adres живу переехал* квартир* дом адрес μένω
        μετακόμισα σπίτι διεύθυνση""",
    PLANS: """
        fly trip travel* decided i_will we_will going_to want_to visit* i_book booked booking
        promise* deadline launch* fliege reise* entschieden möchte vorhabe besuche* vuelo viaje*
        decid* quiero visitar* voyage* je_veux visiter* viagem viajar quero visitar viaggi*
        voglio deciso vlieg* reizen besloten wil_graag лечу поездк* решил* хочу собираюсь ταξίδ*
        θέλω αποφάσισα""",
    WORK: """
        engineer* designer* developer* first_day
        job work works working worked boss team office project* client* meeting* supplier*
        invoice* colleague* arbeite arbeit mein_chef meine_chefin büro projekt* kunde* besprechung*
        kolleg* rechnung* trabaj* jefe* oficina proyecto* reunión travaill* travail patron bureau
        projet* réunion* trabalh* escritório projeto* reunião lavor* capo ufficio progett* riunion*
        werk werkt baas kantoor vergadering* работ* начальник* офис проект* встреч* δουλ* εργ*
        γραφείο έργο""",
}
# Where no space parts the words, or endings are written onto them.
ANYWHERE: Final[dict[str, str]] = {
    HEALTH: """
        过敏 医生 糖尿 素食 アレルギー 医者 糖尿 ベジタリアン 알레르기 의사 당뇨 حساسية
        طبيب एलर्जी डॉक्टर""",
    WHO: """
        我叫 我的名字 生日 私の名前 と申し 誕生日 제 이름 내 이름 생일 اسمي عيد ميلادي
        मेरा नाम जन्मदिन""",
    PREFERENCES: """
        喜欢 最爱 偏好 讨厌 好き 嫌い お気に入り 좋아 싫어 أفضل أحب المفضل पसंद""",
    PEOPLE: """
        姐 妹 哥 弟 妈 爸 妻 丈夫 儿子 女儿 朋友 狗 猫 姉 兄 母 父 息子 娘 友達 犬 언니
        누나 형 동생 어머니 아버지 아내 남편 아들 딸 친구 강아지 고양이 أخت أخي أمي أبي
        زوج ابن صديق كلب बहन भाई माँ पिता पत्नी पति बेटा बेटी दोस्त""",
    HOME: """
        我住 搬到 公寓 地址 住んで 引っ越 アパート 住所 살아 살고 이사 아파트 주소 أسكن
        أعيش انتقلت شقة रहता रहती घर पता""",
    PLANS: """
        旅行 打算 决定 想去 飞往 予定 決め 行きたい 여행 결정 계획 예약 سأ أريد رحلة قررت
        यात्रा चाहता चाहती फैसला""",
    WORK: """
        工作 老板 公司 项目 会议 仕事 上司 会社 会議 勤め 일해 직장 회사 회의 상사 أعمل
        عملي مدير اجتماع काम नौकरी बॉस बैठक""",
}


def _pattern(heading: str) -> re.Pattern[str]:
    apart = [re.escape(each).replace(r"\*", r"\w*") for each in WORDS[heading].split()]
    spaced = "|".join(each.replace("_", r"\s+") for each in apart)
    joined = "|".join(map(re.escape, ANYWHERE[heading].split()))
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)|{joined}", re.IGNORECASE)


PATTERNS: Final = tuple((heading, _pattern(heading)) for heading in WORDS)
