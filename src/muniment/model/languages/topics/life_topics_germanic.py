"""Topics of a life in English, German, Dutch, Polish and Turkish.

A line is `topic: asks | tells`; what asks for a topic tells of it too. `life_topics` reads it.
"""

from typing import Final

_ENGLISH = """
home: live lives living city town reside home moved | flat apartment house address
work: work works working job company employer employed firm workplace |
boss: boss manager supervisor |
profession: profession job occupation living career trade | nurse teacher engineer electrician
 plumber cook driver carpenter baker
pet: pet pets animal dog cat puppy kitten | dog cat hamster rabbit tortoise guinea budgie parrot
allergy: allergic allergy allergies | rash swell hives
drink: drink drinks beverage breakfast | tea coffee juice beer wine
favourite: favourite favorite dish meal food love | love favourite
dislike: hate dislike loathe stand disgusting | hate
dentist: dentist dental tooth teeth | dentist crown
appointment: appointment | appointment
car: car vehicle drive | car
holiday: holiday vacation summer trip travel | holiday
rent: rent lease pay cost | rent landlord
study: study studies studying degree subject | university
teach: teach teaches subject | teaches
school: school class grade | school
wife: wife spouse | wife
husband: husband spouse | husband
partner: partner girlfriend boyfriend married | married
sister: sister |
brother: brother |
son: son |
daughter: daughter |
parents: parents inlaws |
birthday: birthday born age old | birthday born
origin: born origin from grew hometown | born grew
wifi: wifi internet password network | wifi password
keys: key keys spare | keys
medicine: medicine medication pills dose tablets | mg prescribed pills
operation: operation surgery operated | surgery hospital
therapy: therapy treatment | physiotherapy
eyes: glasses eyesight eyes vision | glasses
sport: sport hobby exercise training gym play plays | training
smoke: smoke smoker smoking cigarettes | smoking cigarettes
alcohol: alcohol | alcohol
weight: weigh weight | kilos
height: tall height size |
phone: phone mobile number | phone
bank: bank account | bank
language: language languages speak | speaks
sick: sick ill illness health | ill
nickname: nickname called | nickname
neighbour: neighbour neighbours |
money: save saving savings money | savings
instrument: instrument music | piano guitar violin
colour: colour color |
"""

_GERMAN = """
home: wohne wohnst wohnt wohnen wohnort lebe lebst lebt zuhause hause daheim stadt adresse
 ansässig wohnte wohntest wohnten gewohnt lebte gelebt | wohnung gezogen umgezogen zog umzug
 eingezogen haus wohnhaft niedergelassen heimat
work: arbeite arbeitest arbeitet arbeit arbeitgeber firma job beruflich angestellt beschäftigt
 arbeitete gearbeitet | angefangen eingestellt stelle schicht betrieb dienst brot kollegen laden
boss: chef chefin vorgesetzter vorgesetzte vorgesetzten boss | chef chefin leiter leiterin
 abteilungsleiter
profession: beruf beruflich lebensunterhalt arbeitet gelernt | ausbildung lehrer lehrerin
 krankenschwester pfleger pflegerin ingenieur ingenieurin elektriker klempner schreiner tischler
 bäcker bäckerin fahrer verkäufer verkäuferin arzt ärztin erzieherin koch köchin friseurin hebamme
 buchhalterin mechaniker maurer
pet: haustier haustiere tier hund hunde katze vierbeiner | hund hündin katze kater welpe kätzchen
 wellensittich hamster kaninchen schildkröte meerschweinchen papagei
allergy: allergisch allergie allergien reagiere vertrage unverträglichkeit | schwillt anschwellen
 ausschlag juckt quaddeln pusteln allergisch luft atemnot
drink: trinke trinkst trinkt trinken getränk frühstück | tee kaffee saft bier wein wasser milch
favourite: leibgericht lieblingsessen lieblingsgericht lieblingsspeise lieblings lieber liebsten
 gern mag | liebsten lieblingsessen leibgericht lecker schwärme liebe esse
dislike: hasse mag ausstehen leiden ungern widerlich verabscheue | ausstehen hasse ekle ekelhaft
 zuwider widerlich verabscheue eklig
dentist: zahnarzt zahnärztin zähne zahn | zahnarzt zahnärztin krone plombe füllung
appointment: termin termine verabredung | termin verschoben verlegt abgesagt
car: auto wagen fahrzeug automarke pkw fahre | auto wagen verschrottet gebraucht tank tür kombi
holiday: urlaub ferien sommerurlaub sommerferien reise verreisen sommer | urlaub ferien reise
 ostsee nordsee gebucht fahren wandern berge strand
rent: miete kaltmiete warmmiete wohnkosten wohnung zahle zahlen kostet | miete kaltmiete warmmiete
 vermieter vermieterin euro monat monatlich
study: studiere studierst studiert studium fach studiengang | studiert studium uni fach semester
teach: unterrichtet unterrichte fach lehrt schulfach lehrerin lehrer | unterrichtet lehrt gibt
school: schule klasse ausbildung lehre | schule klasse gymnasium lehre ausbildung azubi
wife: ehefrau frau gattin partnerin | frau ehefrau gattin
husband: ehemann mann gatte partner | mann ehemann gatte
partner: partner partnerin freund freundin verheiratet ehe beziehung | verheiratet verlobt
 getrennt geschieden
sister: schwester | schwester
brother: bruder | bruder
son: sohn | sohn
daughter: tochter | tochter
parents: eltern schwiegereltern | schwiegervater schwiegermutter
birthday: geburtstag alter alt geboren geburtsjahr welt jahrgang | geboren geburtstag wird achtzig
 siebzig sechzig fünfzig
origin: herkunft komme stamme geboren aufgewachsen heimat | geboren aufgewachsen stamme
wifi: wlan internet passwort kennwort netz zugang | wlan passwort kennwort router schlüssel
keys: schlüssel | schlüssel
medicine: medikament medikamente tabletten dosis arznei einnehmen nehme | milligramm mg tabletten
 tropfen verschrieben nehme
operation: operation operiert op eingriff | operation operiert op klinikum krankenhaus
therapy: behandlung therapie physiotherapie | krankengymnastik physiotherapie massage therapie
 reha
eyes: brille augen sehstärke sehe dioptrien | brille dioptrien kurzsichtig
sport: sport hobby hobbys freizeit training trainiere treibe | verein training chor spiele turnen
 schwimmen laufen
smoke: rauche raucher rauchst rauchen zigaretten | rauchen zigaretten qualmen geraucht
alcohol: alkohol | alkohol
weight: wiege wiegt gewicht schwer | kilo wiegt zugenommen abgenommen
height: groß größe körpergröße | zentimeter
phone: telefon handy nummer telefonnummer | nummer handy
bank: bank konto | bank konto sparkasse
language: sprache sprachen spricht spreche | sprache spricht
sick: krank krankheit gesundheit leide | krank diagnose zucker rheuma
nickname: spitzname spitznamen genannt | nannten genannt spitzname
neighbour: nachbar nachbarin nachbarn | stock
money: spare sparen ersparnisse | spare zurücklegen
instrument: instrument musik | klavier gitarre geige chor singe
colour: farbe |
"""

_DUTCH = """
home: woon woont wonen woonplaats thuis stad adres leef woonde woonden gewoond | woon woont
 verhuisd verhuisde huis appartement flat
work: werk werkt werken werkgever bedrijf baan dienst werkte werkten gewerkt | werk aangenomen
 begonnen baan zit bedrijf
boss: baas leidinggevende cheffin | baas leidinggevende
profession: beroep vak werk kost | verpleegkundige leraar lerares ingenieur elektricien loodgieter
 timmerman bakker kok chauffeur arts advocaat
pet: huisdier huisdieren dier hond kat poes | hond kat poes kater puppy kitten
 hamster konijn schildpad cavia papegaai
allergy: allergisch allergie | bultjes uitslag opgezwollen zwelt jeuk allergisch
drink: drink drinkt drinken drankje ontbijt | koffie thee sap melk bier wijn
favourite: liefst lievelingseten favoriete lievelings eten | dol liefst lievelingseten gek
 favoriete
dislike: haat hekel lusten | hekel haat lust vies
dentist: tandarts tand kies | tandarts kroon kies
appointment: afspraak | afspraak verzet verplaatst uitgesteld
car: auto wagen rijd | auto rijd verkocht gekocht
holiday: vakantie zomer reis | vakantie reis strand geboekt
rent: huur woning betalen betaal kost | huur huisbaas euro verhuurder
study: studeert studie studeer | studeert studie universiteit
teach: geeft les vak onderwijst | geeft lesgeven lerares leraar
school: school klas | school klas
wife: vrouw echtgenote | vrouw
husband: echtgenoot | man
partner: vriend vriendin getrouwd partner | getrouwd vriendin
sister: zus zusje | zus
brother: broer | broer
son: zoon | zoon
daughter: dochter | dochter
birthday: verjaardag jarig geboren oud | jarig geboren wordt
origin: vandaan geboren opgegroeid | geboren opgegroeid
wifi: wifi internet wachtwoord | wifi wachtwoord
keys: sleutel sleutels | sleutel sleutels
medicine: medicijn medicijnen pillen dosis | milligram mg pil tabletten
operation: operatie geopereerd | operatie geopereerd ziekenhuis
eyes: bril ogen | bril
sport: sport sporten hobby train | train speel sportschool
smoke: rook rookt roken roker | roken sigaretten
weight: weeg weegt gewicht | kilo
phone: telefoon mobiel nummer | nummer
bank: bank rekening | bank rekening
language: taal talen spreek | spreek
sick: ziek ziekte gezondheid | ziek
neighbour: buurman buurvrouw buren | verdieping
"""

_POLISH = """
home: mieszkam mieszkasz mieszka mieszkamy mieszkać miasto mieście dom żyję adres mieszkałem
 mieszkałam mieszkał mieszkała | mieszkam mieszka przeprowadziłem przeprowadziłam przeprowadził
 przeprowadziła przeprowadziliśmy mieszkanie dom
work: pracuję pracujesz pracuje pracować praca pracy firma firmie pracodawca zatrudniony
 pracowałem pracowałam pracował pracowała | pracuję pracuje robię zatrudnili zacząłem firma
 fabryka
boss: szef szefowa kierownik przełożony | szef szefowa kierownik
profession: zawód zawodzie fach | pielęgniarka pielęgniarz nauczyciel nauczycielka inżynier
 elektryk hydraulik stolarz piekarz kucharz kierowca lekarz lekarka prawnik
pet: zwierzę zwierzak zwierzęta pies kot | psa pies suczka kota kot kotka kotkę suczkę szczeniak
allergy: alergia alergię uczulenie uczulony uczulona | puchnę wysypka wysypkę swędzi duszę
 uczulenie alergia
drink: piję pijesz pije napój śniadanie | kawę kawa herbatę herbata sok mleko piwo wino
favourite: ulubione ulubiony ulubiona danie potrawa lubię | uwielbiam ulubione kocham przepadam
 najbardziej
dislike: nienawidzę znoszę cierpię | znoszę nienawidzę cierpię
dentist: dentysta dentysty dentystę ząb zęby zęba | dentysta dentysty dentystą korona koronę
appointment: wizyta wizytę termin spotkanie | wizyta wizytę przełożył przełożyli przeniesiona
car: samochód auto samochodu jeżdżę | samochód auto jeżdżę sprzedaliśmy kupiliśmy sprzedałem
 kupiłem
holiday: urlop wakacje lato wyjazd | urlop wakacje jedziemy lecimy morze góry
rent: czynsz czynszu mieszkanie kosztuje płacimy | czynsz płacimy właściciel złotych
study: studiuje studiuję studia kierunek | studiuje studia uniwersytet
teach: uczy uczę przedmiot przedmiotu | uczy nauczycielka
school: szkoła szkoły klasa klasie | szkoła klasa liceum technikum
wife: żona żony małżonka | żona żonę
husband: mąż męża małżonek | mąż
partner: chłopak dziewczyna żonaty mężatka partner | chłopak dziewczyna
sister: siostra siostry siostrę | siostra siostrę
brother: brat brata | brat
son: syn syna | syn
daughter: córka córki córkę | córka
birthday: urodziny urodzin urodziłem urodziłam lat | urodziny urodziłem urodziłam kończy
origin: pochodzę skąd urodziłem | urodziłem urodziłam pochodzę
wifi: wifi internet internetu hasło | wifi hasło
keys: klucz klucze kluczy | klucze klucz
medicine: lek leki lekarstwo tabletki dawka dawkę biorę | miligramów mg tabletki przepisał
operation: operacja operację | operacja operację szpital
eyes: okulary wzrok oczy | okulary dioptrie
sport: sport uprawiam hobby trenuję | trenuję gram siłownia treningi
smoke: palę palisz pali palacz papierosy | palenie papierosy palić
weight: ważę waży waga | kilo
phone: telefon komórka numer | numer
bank: bank konto banku | konto bank
language: język języki mówię | mówię
sick: chory chora choroba zdrowie | chory chora
neighbour: sąsiad sąsiadka sąsiedzi | piętro
"""

_TURKISH = """
home: yaşıyorum yaşıyor yaşıyoruz oturuyorum oturuyor şehir şehirde evim adres adresim |
 oturuyorum yaşıyorum taşındım taşındı taşındık daire
work: çalışıyorum çalışıyor işim işyeri şirket işveren | çalışıyorum işe başladım girdim şirket
 fabrika teyim dayım
boss: patron patronum müdür müdürüm şef amir | müdür patron şef
profession: meslek mesleğim mesleği | hemşire öğretmen mühendis elektrikçi tesisatçı marangoz
 fırıncı aşçı şoför doktor avukat muhasebeci
pet: hayvan evcil hayvanım hayvanımız köpek kedi | kedi köpek kedimiz köpeğimiz kedim köpeğim
 yavru
allergy: alerji alerjim alerjik | kızarıyor kaşınıyor şişiyor döküyor kabarıyor alerji alerjim
drink: içiyorum içerim içecek kahvaltı | çay kahve süt su bira şarap içiyorum
favourite: sevdiğim favori yemek yemeğim | severim bayılırım seviyorum favori
dislike: nefret sevmem sevmediğim | nefret sevmem tiksinirim dayanamam
dentist: dişçi dişçiye diş dişim | dişçi diş hekimi hekimine kaplama
appointment: randevu randevum | randevu randevumu ertelendi aldı
car: araba arabam otomobil aracım | araba kullanıyorum sattık aldık sattım aldım
holiday: tatil tatile yaz seyahat | tatil gidiyoruz gideceğiz deniz
rent: kira kiramız kiram ödüyoruz | kira kirayı lira sahibi
study: okuyor okuyorum bölüm üniversite | okuyor üniversite bölüm
teach: öğretiyor ders dersi öğretmen | öğretmen öğretiyor öğretmeni
school: okul sınıf | okul sınıf lise
wife: eşim karım | eşim karım
husband: eşim kocam | eşim kocam
sister: ablam kızkardeşim kardeşim | ablam kardeşim
brother: ağabeyim abim kardeşim | ağabeyim abim kardeşim
son: oğlum | oğlum
daughter: kızım | kızım
birthday: doğum günü doğum yaş doğdum | doğdum doğum giriyor
origin: nereli nereliyim doğdum | doğdum büyüdüm
wifi: wifi internet şifre şifresi | wifi şifre şifresi
keys: anahtar anahtarı | anahtar anahtarı
medicine: ilaç hap doz | miligram mg hap
operation: ameliyat | ameliyat hastane
eyes: gözlük göz | gözlük numara
sport: spor hobi oynuyorum | spor antrenman oynuyorum salonu
smoke: sigara içiyor | sigara sigarayı
weight: kilo kilom | kilo
phone: telefon numara numaram | numara
bank: banka hesap | banka hesap
sick: hasta hastalık sağlık | hasta
neighbour: komşu komşum | kat
"""

_INTERNATIONAL = """
car: | toyota honda ford opel volkswagen vw skoda fiat
 renault peugeot citroën dacia bmw mercedes audi volvo kia
 hyundai mazda nissan suzuki tesla lada шкода лада тойота
 киа форд рено хендай 丰田 本田 大众 比亚 奔驰 宝马
sport: | yoga tennis badminton judo karate pilates handball
"""

TABLES: Final = {
    "English": _ENGLISH,
    "German": _GERMAN,
    "Dutch": _DUTCH,
    "Polish": _POLISH,
    "Turkish": _TURKISH,
    "International": _INTERNATIONAL,
}
