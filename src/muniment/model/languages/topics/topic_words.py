"""Topic vocabulary: words in which a topic is asked for, and words in which it is told.

"Where do I work?" is answered by shifts, desks and a payroll, "What am I allergic to?" by a throat
that swells. Vectors know some of this in English and little of it elsewhere, so each language has
the common words of a topic here: first those that ask for it, behind the bar those that tell it.
"""

from typing import Final

_ENGLISH = """
live lives living home flat apartment house place town city reside whereabouts | flat apartment
 house moved landlord lease balcony neighbours neighbourhood roots boxes unpacked keys settled
 room
work works working job employer employs employed company firm workplace salary | shift shifts
 desk payroll office salary colleagues contract started joined position career staff hired wages
 switched
boss manager supervisor chief superior answer report | under supervisor chief approves reviews
 promoted leads manager superior appraisal report reports answer boss charge
dog puppy pet | puppy hound terrier poodle vet leash walk kennel basket shelter barks chewed
 fetch
cat kitten pet | kitten litter purrs vet tomcat tabby whiskers shelter
allergic allergy allergies avoid eat | rash hives swells swell throat epipen antihistamine
 intolerant react reaction itchy anaphylactic harmless culprit allergic hospital
drink drinks beverage | coffee tea juice water cup mug glass brew beer wine espresso thirsty sip
hate dislike loathe food dish cook eat | bear stand stomach loathe detest disgusting smell taste
 hate yuck swallow ingredient dish
dentist dental tooth | teeth tooth toothache filling crown dentist slot
car drive driving drives vehicle | brakes engine garage mechanic tyres dealer mileage sold
 bought scrapped parked petrol car
holiday vacation summer travel trip spend | tickets booked flight beach hotel cabin travel
 summer trip holiday august july island
profession job occupation living career trade | trade career training retraining apprentice
 qualified works teaches runs repairs living profession employed
rent pay cost costs flat | landlord month monthly rent lease flat costs
study studying studies subject degree research | university degree enrolled reading course major
 college faculty semester dropped subject thesis dissertation
medicine medication pills dose | mg prescribed tablets pharmacy pills doses doctor
married partner spouse husband wife | wedding engaged divorced separated married fiancé
school class teacher kids children | pupil grade kindergarten nursery teacher school class
hobby sport free weekend | club training play plays practice rehearsal team course
weigh weight heavy | scales kilos kilo kg pounds weigh weighed lost gained
tall height size wear | cm inches tall size fits shoe
contact contacted reach reached | phone text email mail message call whatsapp
digest tolerate stomach | intolerant lactose gluten stomach bloated
old age birthday born | born birthday turned turning candles
language languages speak speaks | speaks fluent native bilingual lessons
computer laptop machine | laptop desktop screen keyboard notebook
bank account | bank account card savings
saving save aside | saving savings aside budget
exercise run train fit | gym jog jogging km miles marathon swim cycle
heating heat heats | boiler heater radiator pump stove fireplace
hours days part | full part hours shift shifts off
expire expires valid | expires expiry runs valid until renew
alive ill sick health illness | died passed ill hospital operation surgery diagnosed clinic stroke
 recovered rehab
afraid fear scared | scared afraid terrified panic phobia
smoke smoker | smoking cigarettes quit
church religion faith | church mosque temple synagogue pray
stay staying stays accommodation lodging | hotel inn hostel airbnb guesthouse reservation booking
share shares sharing roommate | flatmate roommate housemate
mobile provider carrier network | phone sim number ported tariff
seeing dating relationship single | girlfriend boyfriend dating couple going
club team follow supporter fan | support supporter fan season match stadium
above upstairs below downstairs next | upstairs downstairs neighbours neighbour door
pipe leak leaking tap drain | plumber
days shifts shift | shifts shift only
profession professionally occupation job career trade earn | baker butcher chef waiter
 nurse doctor surgeon midwife carer paramedic firefighter teacher tutor professor lecturer
 librarian engineer programmer developer architect designer electrician plumber carpenter joiner
 bricklayer roofer welder mechanic tailor hairdresser barber lawyer solicitor judge accountant
 auditor banker clerk secretary receptionist cashier translator interpreter journalist editor
 author illustrator photographer musician actor farmer gardener florist fisherman forester pilot
 sailor driver courier postman soldier officer pharmacist dentist therapist psychologist physicist
 chemist biologist scientist researcher plasterer
hobby pastime leisure spare | running jogging swimming hiking climbing cycling rowing sailing
 surfing skiing skating dancing singing painting drawing pottery knitting sewing crochet gardening
 baking fishing birdwatching photography woodwork chess yoga tennis football basketball badminton
 guitar piano violin cello drums flute choir orchestra band
commute | bike bicycle bus train tram metro ferry cycle
editor ide | vim neovim emacs vscode intellij pycharm sublime zed
browser | firefox chrome safari brave opera
write writing | thesis dissertation novel essay paper article draft chapter manuscript
"""
_GERMAN = """
wohne wohnt wohnen wohnung wohnort lebe lebt zuhause hause stadt | wohnung bude haus zimmer
 miete vermieter umzug kisten schlüssel balkon nachbarn wurzeln gezogen untergekommen
arbeite arbeitet arbeit arbeitgeber firma job gehalt verdiene | schicht schreibtisch
 gehaltsliste büro gehalt kollegen vertrag angefangen gewechselt stelle lohn eingestellt
 genommen
chef chefin vorgesetzte vorgesetzter boss unterstellt | unterstellt genehmigt leitet boss
 vorgesetzte vorgesetzter beurteilt leitung
hund welpe haustier | hund welpe leine tierarzt tierärztin körbchen gassi rüde hündin bellt
katze kater haustier | katze kater kätzchen tierarzt streu miaut
allergisch allergie allergien nehmen essen | hals schwillt ausschlag notfallset krankenhaus
 unverträglich harmlos verträgt juckt reagiere schuld
trinke trinken trinkt getränk stammgetränk | tasse tee kaffee saft wasser becher glas bier wein
 trinke
mag hasse kochen essen speise gericht | geruch ekelt eklig verabscheue hasse schmeckt runter
 koche
zahnarzt zähne zahn | zähne zahn zahnschmerzen zahnarzt plombe krone praxis
auto wagen fahre | bremsen motor werkstatt reifen händler verkauft gekauft verschrottet auto
 tank
urlaub ferien sommer reise | gebucht flug strand hotel hütte sommer urlaub reise august tickets
beruf beruflich macht arbeitet verdient | beruf lernt ausbildung umschulung gelernt repariert
 unterrichtet angestellt arbeitet verdient
miete zahle kostet wohnung | miete vermieter monat monatlich kostet zahlen wohnung
studiert studium fach | uni universität eingeschrieben fach studium semester abgebrochen kurs
medikament tabletten dosis | mg verschrieben tabletten arzt ärztin apotheke
verheiratet partner ehe | hochzeit verlobt geschieden getrennt heirat
wiege wiegt gewicht schwer | waage kilo kg zugenommen abgenommen gewicht
groß größe | zentimeter größe meter
erreichen erreichbar kontakt melden | telefon anrufen nachricht mail schreiben whatsapp
vertrage verträgt unverträglich | laktose gluten bauch unverträglich
alt alter geburtstag geboren | geboren geburtstag geworden jahre kerzen
sprache sprachen spricht | spricht fließend muttersprache kurs
computer rechner laptop | laptop rechner bildschirm notebook
bank konto | bank konto karte sparkasse
spare sparen | spare sparen zurücklegen ersparnisse
sport laufe trainiere | laufen joggen km marathon fitnessstudio schwimmen
heizung heizt heizen | heizung kessel wärmepumpe ofen kamin
stunden tage arbeitszeit | vollzeit teilzeit stunden schicht frei
läuft gültig ablauf | läuft abgelaufen gültig verlängern
krank gesundheit lebt | gestorben krank krankenhaus operation klinik diagnose reha schlaganfall
angst fürchte | angst panik fürchte
nüsse nuss | haselnuss haselnüsse walnuss walnüsse erdnuss erdnüsse mandeln
übernachten übernachtung unterkunft wohnen | hotel pension herberge gästehaus ferienwohnung zimmer
mitbewohner wohne zusammen teile | mitbewohner mitbewohnerin wg
handy anbieter netz | handy vertrag tarif nummer sim
beziehung single freund freundin | freundin freund paar zusammen
verein mannschaft fan | fan anhänger spiel stadion saison
oben unten nebenan | nachbarn nachbar oben unten nebenan
rohr leck tropft wasserhahn abfluss | klempner installateur
beruf beruflich | bäcker bäckerin metzger koch köchin kellner kellnerin pfleger pflegerin
 krankenschwester arzt ärztin hebamme sanitäter lehrer lehrerin erzieher erzieherin professor
 ingenieur ingenieurin programmierer entwickler architekt architektin elektriker klempner tischler
 schreiner maurer dachdecker schweißer mechaniker schneider schneiderin friseur friseurin anwalt
 anwältin richter richterin buchhalter buchhalterin sekretär sekretärin verkäufer verkäuferin
 übersetzer übersetzerin journalist journalistin fotograf musiker musikerin schauspieler landwirt
 gärtner gärtnerin pilot fahrer fahrerin soldat apotheker apothekerin forscher forscherin
hobby hobbys freizeit | laufen joggen schwimmen wandern klettern radfahren rudern segeln tanzen
 singen malen zeichnen töpfern stricken nähen gärtnern backen angeln fotografieren schach yoga
 tennis fußball gitarre klavier geige cello flöte chor orchester
"""
_SPANISH = """
vivo vive casa piso ciudad hogar domicilio | piso casa habitación alquiler casero mudanza cajas
 llaves balcón vecinos raíces instaló instalé maletas
trabajo trabaja empresa empleo sueldo empleador | turno escritorio nómina oficina sueldo
 compañeros contrato empecé pasé puesto acogió contrató salario
jefe jefa superior órdenes manda | órdenes aprueba evalúa dirige manda ascendieron superior jefa
perro perra cachorro mascota | perro cachorro correa veterinaria veterinario cesta ladra pasear
gato gata mascota | gato gatito arena maúlla veterinario
alergia alérgico alérgica tomar comer | garganta ronchas sarpullido hospital pruebas reacción
 picor hinche médico culpa intolerante
bebo beber bebida tomo | taza té café zumo agua vaso cerveza vino bebo
gusta odio comida cocinar plato comer | olor asco repugna aborrezco trago odio detesto sabor
dentista dientes boca muela | dientes muela dentista empaste consulta hueco
coche conduzco carro | frenos motor taller mecánico ruedas vendí compré desguace coche gasolina
vacaciones verano viaje | billetes reservado vuelo playa hotel cabaña verano viaje agosto
profesión oficio dedica trabaja hace | oficio formando formación aprende clases arregla estudia
 lleva vida trabaja profesión
alquiler pago cuesta piso | alquiler casero mes mensuales piso pagamos sale
estudia estudio carrera estudios | universidad matriculado carrera facultad curso hace semestre
 metió
medicina pastillas dosis | mg recetó pastillas médico farmacia
casado casada pareja | boda prometido divorciado separado casamos
peso pesa pesar | báscula kilos kilo kg adelgazado engordado peso
altura mido talla | centímetros metros talla
contactar contacto localizar | teléfono llamar mensaje correo escribir whatsapp
tolero digiero | lactosa gluten estómago intolerante
edad años cumpleaños nació | nació cumpleaños cumplió cumplí velas
idioma idiomas habla hablo | habla fluido nativo clases
ordenador computadora portátil | portátil ordenador pantalla teclado
banco cuenta | banco cuenta tarjeta
ahorrar ahorro | ahorro ahorrando ahorros aparte
deporte corro entreno | correr gimnasio km maratón nadar
calefacción | caldera radiador bomba estufa chimenea
horas días jornada | completa parcial jornada horas turno libres
caduca vence válido | caduca vence caducidad renovar
enfermo salud vivo | murió falleció enfermo hospital operación clínica diagnosticaron
miedo temo | miedo pánico fobia
alojo alojamos alojamiento hospedo quedo quedamos | hotel hostal pensión albergue reserva
 habitación
comparto compartes piso | compañero compañera piso
móvil celular operador operadora | móvil celular tarifa número línea
relación pareja novio novia soltero soltera | novia novio pareja saliendo
equipo club hincha | hincha aficionado partido estadio temporada
arriba abajo lado | vecinos vecino arriba abajo
tubería fuga grifo gotea | fontanero plomero
profesión oficio dedico dedicas dedica | panadero panadera carnicero cocinero cocinera camarero
 camarera enfermero enfermera médico médica cirujano matrona profesor profesora maestro maestra
 bibliotecario ingeniero ingeniera programador programadora arquitecto arquitecta electricista
 fontanero carpintero albañil soldador mecánico sastre peluquero peluquera abogado abogada juez
 jueza contable secretario secretaria cajero cajera traductor traductora periodista fotógrafo
 fotógrafa músico actor actriz agricultor jardinero jardinera piloto conductor conductora soldado
 farmacéutico farmacéutica carpintera fontanera soldadora mecánica
afición aficiones pasatiempo ocio | correr nadar caminar escalar remar navegar bailar cantar
 pintar dibujar cerámica tejer coser pescar fotografía ajedrez yoga tenis fútbol guitarra piano
 violín violonchelo flauta coro orquesta
"""
_RUSSIAN = """
живу живёт живет дом город квартира обитаю жильё | квартира комната дом снимаем переезд коробки
 ключи хозяин соседи корни осел жильё адрес
работаю работает работа работодатель зарплата зарплату компания | смена столом офис зарплата
 коллеги договор начал перешёл устроился должность взяла платит
начальник начальника руководитель босс шеф подчиняюсь | подчинении подписывает оценивает ведёт
 указывает главный начальник шеф повышение
собака собаку пёс пса щенок кличка питомец | пёс щенок собака поводок ветеринар лежанка гулять
 лает
кот кошка питомец | кот кошка котёнок лоток мурлычет ветеринар
аллергия аллергию нельзя есть | горло отекает сыпь больница врач безвреден анализы зуд реакция
пью пить напиток напитки | чашка чай кофе сок вода стакан пиво вино пью
люблю ненавижу еда еду готовить блюдо | запах противно терпеть ненавижу вкус гадость лезет
стоматолог стоматологу зубной зубы зуб | зубы зуб стоматолог пломба клиника окно
машина машину езжу авто | тормоза двигатель гараж шины продал купил машина бензин
отпуск лето каникулы поездка | билеты забронировали рейс пляж отель лето отпуск поездка август
профессия работает занимается кем | профессия учится учёба чинит преподаёт держит мастер дело
 работает
аренда аренду квартира плачу обходится | аренда хозяин месяц ежемесячно квартира платим
учится изучает учёба специальность | университет поступила поступил специальность предмет курс
 факультет
лекарство таблетки доза | мг прописал таблетки врач аптека
женат замужем муж жена | свадьба развод женился вышла расстались
вешу весит вес | весы кг кило похудел похудела поправился вес
рост размер | см метр размер
связаться связь | телефон звонить сообщение почта писать
возраст лет родился родилась день | родился родилась исполнилось рождения
язык языки говорит | говорит свободно родной уроки
компьютер ноутбук | ноутбук компьютер экран
банк счёт | банк счёт карта
коплю копить | коплю копим откладываю сбережения
спорт бегаю тренировки | бегать бег км марафон зал плавать
отопление греет | котёл насос печь камин батарея
болеет здоровье жив | умер умерла болеет больница операция клиника диагноз инсульт
боюсь страх | боюсь страх паника
остановимся остановлюсь ночевать ночуем проживание | гостиница отель хостел бронь номер
делю сосед соседка квартиру | сосед соседка
мобильный оператор связь | телефон тариф номер оператор
встречаюсь отношения пара | девушка парень встречаемся
команда клуб болею | болею фанат матч стадион
сверху снизу этажом | соседи сосед
труба течёт кран протечка | сантехник
профессия работаю занимаюсь кем | пекарь мясник повар официант медсестра врач хирург акушерка
 учитель учительница преподаватель библиотекарь инженер программист архитектор электрик сантехник
 плотник столяр каменщик сварщик механик портной швея парикмахер юрист адвокат судья бухгалтер
 секретарь кассир переводчик журналист фотограф музыкант актёр актриса фермер садовник пилот
 водитель солдат аптекарь учёный
хобби увлечение увлечения досуг | бегаю плаваю танцую пою рисую вяжу шью рыбалка шахматы йога
 теннис футбол гитара пианино скрипка виолончель флейта хор оркестр
"""
_CHINESE = """
住 家 房子 城市 哪里 | 房子 房租 搬家 箱子 钥匙 扎根 小窝 邻居 阳台 租房 安顿 人在
工作 上班 公司 工资 单位 | 工资 桌子 同事 合同 报到 转到 单位 入职 裁了 收了 上班
上司 老板 领导 管 | 领导 批假 考评 归 头儿 管 带我 高升
狗 宠物 | 小狗 奶狗 遛狗 兽医 狗窝 狗叫 汪汪
猫 宠物 | 小猫 猫砂 兽医 喵
过敏 不能 吃 | 喉咙 肿 疹子 医院 发痒 没事 检查 过敏 医生
喝 饮料 | 茶 咖啡 果汁 水 杯 啤酒 酒 喝
喜欢 讨厌 吃 菜 做菜 | 味道 恶心 讨厌 咽不 受不 难吃 嫌弃
牙医 看牙 牙 | 牙疼 牙齿 牙医 补牙 诊所
车 开车 | 刹车 修车 轮胎 卖了 买了 报废 油
度假 假期 夏天 旅行 | 机票 订了 海滩 酒店 暑假 旅行
职业 工作 干什么 做什么 一行 | 改行 学做 靠当 修 教 开店 专业 当
房租 租金 付 多少钱 | 房租 房东 每月 涨到 租金
学 专业 读书 | 大学 专业 念 考上 转了 改学 课程
药 剂量 | 毫克 医生 药片 药房
体重 重 | 体重 公斤 斤 秤 瘦了 胖了
联系 | 电话 短信 邮件 微信 打电话
年龄 几岁 多大 生日 | 出生 生日 岁
语言 会说 | 流利 母语 会说 学习
电脑 笔记本 | 电脑 笔记本 屏幕
存钱 攒钱 | 存钱 攒 存款
运动 跑步 | 跑步 公里 健身 游泳
生病 健康 | 去世 生病 医院 手术 住院
怕 害怕 | 害怕 恐惧 怕
住宿 入住 | 酒店 旅馆 民宿 宾馆 订
合租 室友 | 室友 合租
手机 运营商 | 手机 套餐 号码
恋爱 对象 单身 | 女朋友 男朋友 交往
球队 俱乐部 支持 | 球迷 支持 比赛
楼上 楼下 隔壁 | 邻居 楼上 楼下
水管 漏水 | 水管工
职业 工作 做什么 一行 | 面包师 厨师 服务员 护士 医生 老师 教师 教授 工程师 程序员 建筑师 电工 木匠
 裁缝 理发师 律师 法官 会计 秘书 收银员 翻译 记者 摄影师 音乐家 演员 农民 园丁 飞行员 司机 军人
 药剂师
爱好 业余 空闲 | 跑步 游泳 爬山 跳舞 唱歌 画画 钓鱼 摄影 下棋 瑜伽 网球 足球 吉他 钢琴 小提琴
 大提琴 合唱
"""
_JAPANESE = """
住 暮ら 家 部屋 街 住所 | 家賃 引っ 部屋 段ボール 鍵 ベランダ 我が家 根を 隣人 落ち 実家
働 仕事 会社 勤め 給料 職場 | 勤務 机 給料 同僚 契約 働き 移り 入社 拾わ 会社
上司 部下 ボス | 部下 承認 評価 指示 ボス 昇進 主任 課長 部長
犬 ペット | 子犬 老犬 散歩 獣医 寝床 吠え 首輪
猫 ペット | 子猫 砂 獣医 鳴き
アレルギー 食べ 口に | 喉 腫れ 発疹 病院 かゆ 検査 平気 医者 アレルギー
飲 飲み 飲む | 茶 コーヒー ジュース 水 杯 ビール ワイン 飲み
嫌い 好き 食べ物 料理 | におい 苦手 無理 嫌い 味 いや 入れな
歯医者 歯 | 歯 歯医者 虫歯 医院 枠
車 運転 | ブレーキ 修理 タイヤ 売り 買い 廃車
休暇 夏休み 旅行 夏 | 切符 予約 海 ホテル 旅行 飛行機
仕事 職業 何を | 修業 転じ 食べて 教え 修理 店 職人 勉強 指導
家賃 部屋代 いくら 払 | 家賃 大家 毎月 部屋代 上がり
勉強 専攻 学 | 大学 専攻 学科 入り 変え 移り 科に
薬 量 | ミリ 医者 錠 薬局
体重 重さ | 体重 キロ 痩せ 太り
連絡 | 電話 メール メッセージ ライン
年齢 何歳 誕生日 | 生まれ 誕生日 歳
言語 言葉 話せ | 流暢 母語 話し
パソコン 機種 | ノート パソコン 画面
貯金 貯め | 貯金 貯め
運動 走 | 走り キロ ジム 泳ぎ
病気 健康 元気 | 亡くな 病気 病院 手術 入院
怖 苦手 | 怖い 恐怖
泊ま 宿泊 滞在 | ホテル 旅館 民宿 予約
同居 ルームメイト シェア | ルームメイト 同居人
携帯 スマホ キャリア | 携帯 スマホ プラン 番号
付き合 恋人 独身 | 彼女 彼氏 交際
チーム クラブ 応援 | ファン 応援 試合
上の階 下の階 隣 | 隣人 近所 上の階
水道 水漏れ | 水道屋 修理
仕事 職業 何を | パン職人 料理人 看護師 医者 医師 教師 先生 教授 技師 エンジニア プログラマー
 建築家 電気工 大工 美容師 弁護士 裁判官 会計士 秘書 店員 翻訳者 記者 写真家 音楽家 俳優 農家 庭師
 操縦士 運転手 薬剤師
趣味 余暇 | 走る 水泳 登山 踊り 歌う 絵 編み物 釣り 写真 将棋 ヨガ テニス サッカー ギター ピアノ
 バイオリン チェロ 合唱
"""


def _rows(table: str) -> list[tuple[str, str]]:
    """A line that begins with a space goes on with the one before it."""
    lines = table.strip().replace("\n ", " ").splitlines()
    return [(asked.strip(), told.strip()) for asked, _, told in (x.partition("|") for x in lines)]


TOPIC_WORDS: Final = tuple(
    row
    for table in (_ENGLISH, _GERMAN, _SPANISH, _RUSSIAN, _CHINESE, _JAPANESE)
    for row in _rows(table)
)
