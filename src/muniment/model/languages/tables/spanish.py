"""Spanish language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# ── States ──
_MY: Final = r"mi <kin>(?: <name>)?"
_WHO: Final = r"(?!(?:él|ella|usted|quien|que|eso|y|luego|ya|se)\b)<who>"
_DIED: Final = r"(?:(?:se )?murió|ha muerto|falleció|ha fallecido)(?! de risa)"

SPANISH: Final = Language(
    name="Spanish",
    relations=RelationWords(
        i="[Yy]o",
        my="mi|nuestro|nuestra",
        is_called=r"(?:,|\s+(?:es|se\s+llama))?",
        kin={
            "wife": "mujer|esposa",
            "husband": "marido|esposo",
            "partner": "pareja|novia|novio",
            "mother": "madre|mamá",
            "father": "padre|papá",
            "sister": "hermana",
            "brother": "hermano",
            "daughter": "hija",
            "son": "hijo",
            "grandmother": "abuela",
            "grandfather": "abuelo",
            "aunt": "tía",
            "uncle": "tío",
            "cousin": "prima|primo",
            "friend": "amiga|amigo",
            "boss": "jefa|jefe",
            "colleague": "colega|compañera|compañero",
            "neighbour": "vecina|vecino",
            "pet": "perra|perro|gata|gato",
        },
        works_at=r"trabaj(?:o|a|an|amos) (?:en|para)",
        lives_in=r"(?:viv(?:o|e|en|imos) en|se mudó (?:de (?:[\w-]+ ){1,3})?a)",
        own_work=r"[Tt]rabaj(?:o|amos) (?:en|para)",
        own_home=r"[Vv]iv(?:o|imos) en|[Mm]e (?:he mudado|mudé|trasladé) (?:de (?:[\w-]+ ){1,3})?a"
        r"|[Nn]os mudamos (?:de (?:[\w-]+ ){1,3})?a",
        located_in=r"(?:está en|tiene su sede en)",
        married=Marriage(
            signs="casad[oa]s?|casó|casé|casaron",
            between=r"(?:(?:está|es|estoy) (?:\w+ )?casad[oa] con|se casó con)",
            own=r"[Ee]stoy (?:\w+ )?casad[oa] con|[Mm]e casé con",
            and_="y|e",
            are="(?:están casad[oa]s|se casaron)",
        ),
        over=RelationEnds(
            signs=(
                r"trabaj(?:é|ó|aba|aban)|viv(?:í|ió|ía|ían)|rompimos|separamos|separado|separada"
                r"|divorciamos|divorciado|divorciada|separé|divorcié|rompí|solter[oa]|jubiló"
                r"|jubilado|jubilé|renunció|renuncié|dimitió|dimití|perdió|perdí|dejó|dejé"
                r"|despidieron|echaron|paro"
            ),
            worked_at=r"trabaj(?:é|ó|aba|aban) (?:en|para)",
            lived_in=r"viv(?:í|ió|ía|ían) en",
            own_worked=r"[Tt]rabajé (?:en|para)|^[Tt]rabajaba (?:en|para)",
            own_lived=r"[Vv]iví en|^[Vv]ivía en",
            former=r"\b(?:ex[- ]?(?=<kin>)|antigu[oa] )",
            parted=(
                r"[Rr]ompimos|[Nn]os (?:hemos )?(?:separamos|separado|divorciamos|divorciado)"
                r"|[Mm]e (?:he )?(?:separé|separado|divorcié|divorciado)|[Rr]ompí con"
                r"|[Ee]stoy (?:divorciad|separad|solter)[oa]"
            ),
            jobless=(
                r"(?:se (?:jubiló|ha jubilado)|renunció|dimitió|(?:perdió|dejó) (?:su"
                r"|el) (?:trabajo|empleo)|está en (?:el )?paro)"
            ),
            own_jobless=(
                r"[Mm]e (?:jubilé|he jubilado|despidieron|echaron)|[Rr]enuncié|[Dd]imití"
                r"|(?:[Pp]erdí|[Dd]ejé) (?:mi|el) (?:trabajo|empleo)|[Ee]stoy en (?:el )?paro"
            ),
        ),
    ),
    speaker=(
        r"\w{2,}(?:amos|emos|imos)|ando|tomo|soporto|aguanto|voy|vengo|pago|gano|cobro|duermo"
        r"|peso|mido|corro|canto|toco|fumo|dejé|dejo|cambié|empecé|terminé|perdí|puedo|quiero|yo"
        r"|mi|mis|mío|mía|nosotr[oa]s|nuestr[oa]s?|me|soy|estoy|vivo|trabajo|tengo"
        r"|prefiero|odio|amo|estudio|nací|fui|hago|hablo|uso|juego|toco|como|bebo"
        r"|conduzco|compré|vendí|somos|vivimos|tenemos|trabajamos|nos|he|llevo|cumplo"
        r"|padezco|sufro|colecciono|entreno|detesto|adoro"
    ),
    untold=(
        r"(?:puedes|podrías|quieres|puede|podría) |por favor|si|supongamos|imagina"
        r"|(?:creo|pienso|supongo|espero|entiendo|no sé|me pregunto)"
        r"|(?:dime|dame|muéstrame|ayúdame|explícame|recuérdame|dígame)"
        r"|tengo una (?:pregunta|duda)|quier[oe]s? (?:saber|que)"
    ),
    asides="""
        además ah ahora así aparte bueno bien claro corrección entonces finalmente luego mira no
        ok oye perdón perfecto posdata primero pues resulta sí segundo sinceramente también
        total últimamente""",
    courtesies=(
        "claro|claro que sí|por supuesto|perfecto|genial|felicidades|un momento|sin problema|"
        "vale|de acuerdo|entendido|anotado|gracias|muchas gracias|de nada|hola|"
        "buenos días|buenas tardes|buenas noches|adiós|hasta luego|hasta mañana"
    ),
    accents="áéíóúüñ",
    unsaid=r"\b(?:en este momento|hoy en d[ií]a|de momento|por ahora|estos d[ií]as)\b",
    small="""
        hay hago hace haces suelo suele debo debe puedo encuentro encontrar sigo sigue tener""",
    shown_by="""
        el la los las un una unos unas de del al y e o pero yo tú él ella nosotros ellos ellas me
        te se lo le les nos mi mis tu tus su sus es soy eres somos son era eran fue fui fuimos
        estoy está estaba estuve he has ha hemos han había tengo tiene tenía que qué quién cómo
        dónde adónde cuál cuáles quiénes cuándo cuánto cuánta cuántos cuántas por para con sin en no
        sí muy más también ya hay hace este esta estos estas ese esa como cuando donde porque ayer
        hoy anteayer pasado pasada hasta desde a voy vas va vamos van ti viene entonces aquí allí
        nada todo todos eso esto sobre entre mucho mañana vimos""",
    months=each(
        "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre"
        " diciembre"
    ),
    months_short=each("ene feb mar abr may jun jul ago sep|sept|set oct nov dic"),
    weekdays=each("lunes martes miércoles jueves viernes sábado domingo"),
    units={
        "day": "día|días",
        "week": "semana|semanas",
        "month": "mes|meses",
        "year": "año|años",
    },
    spans={"week": "semana", "weekend": "fin de semana", "month": "mes", "year": "año"},
    numbers={
        2: "dos|par de",
        3: "tres|unos|unas|algunos|algunas",
        4: "cuatro",
        5: "cinco",
        6: "seis",
        7: "siete",
        8: "ocho",
        9: "nueve",
        10: "diez",
        11: "once",
        12: "doce",
    },
    ones="un|una",
    half="medio",
    monthdays={1: "primero"},
    days={0: "hoy", -1: "ayer|anoche", -2: "anteayer|antier|antes de ayer"},
    # The morning has the same name as tomorrow.
    told_days={
        1: (
            r"(?<!la )(?<!esta )(?<!una )(?<!cada )(?<!de )(?<!el )(?<!buena )(?<!media )(?<!ayer )"
            r"(?<!aquella )(?<!otra )(?<!tus )mañana(?! siguiente)"
        ),
        2: "pasado mañana",
    },
    ago=(r"hace (?:ya |casi |como |un )?<long>", r"(?:un )?<long> atrás"),
    from_now=(r"dentro de (?:un )?<long>",),
    lately=(
        r"(?:últim|pasad)[oa]s <several> <unit>",
        r"(?:los|las) <several> últim[oa]s <unit>",
    ),
    last=(r"<span> pasad[oa]", r"(?:el|la) pasad[oa] <span>"),
    this=(r"est[ea] <stretch>",),
    next=(r"<span> (?:que viene|próxim[oa])", r"próxim[oa] <span>"),
    weekday_last=(r"<weekday> de la semana pasada",),
    weekday_next=(r"<weekday> de la (?:semana que viene|semana próxima|próxima semana)",),
    dates=(
        r"<day> de <mon>(?: del?|,)? <year>",
        r"<day>/<number>/<year>",
        r"<day> de <month>",
        r"<month>(?: del?|,)? <year>",
        r"(?:en|desde|mes de|principios de|mediados de|finales de) <month>",
    ),
    left_alone=(
        r"(?:hasta|antes del?|para) (?:el |la )?(?:mañana|pasado mañana|próxim[oa] \w+"
        r"|\w+ (?:próxim[oa]|que viene|pasad[oa]))"
    ),
    asks_of_then=(
        "era|eran|fue|fueron|estaba|tenía|había|antes|antigu[oa]s?|anterior(?:es)?"
        "|originalmente|primero|vivía|trabajaba|tomaba|llamaba"
    ),
    tells_change=(
        "ahora|actualmente|últimamente|hoy en día|ya no|nuev[oa]s?|en (?:vez|lugar) de|en cambio"
        "|al final|en realidad|cambio de planes?|a partir de|desde (?:ahora|hoy|este|esta)"
        "|resulta que|mejor dicho"
        "|camb(?:ió|ié|iaron|iado|iada|iamos)"
        "|pas(?:é|ó|amos|aron|ado|ada)(?: \\w+){0,4} (?:a|al|para|del?)"
        "|(?:mud|traslad|adopt|acog|dej|jubil|retir|contrat|despid|renunci|reemplaz|reemplac)"
        "(?:é|í|ó|ió|amos|imos|aron|ieron|ado|ido)"
        "|(?:aplaz|cancel|anul|retras|adelant|suspend|modific|reprogram|atras|mov|corr)"
        "(?:é|ó|ió|amos|aron|ieron|ado|ada|ido|ida)|pospus(?:e|o|ieron)|pospuest[oa]"
        "|vend(?:í|ió|imos|ido|ida)|murió|muerto|falleció|fallecido|separamos|separad[oa]s?"
        "|divorciad[oa]s?|sustitu(?:í|yó|imos|ido|ida)|sube a|baja a|pasa a"
        "|sub(?:ió|ieron|ido)|baj(?:ó|aron|ado)|aument(?:ó|aron|ado)|empez(?:ó|ado)|ascendid[oa]"
    ),
    ends=(
        "dej(?:é|ó|amos|ado)(?: de)?|cerr(?:é|amos|ado)|(?:cancel|anul|aplaz|retras)(?:é|amos|ado)"
        "|vend(?:í|imos|ido)|devolv(?:í|imos)|regal(?:é|amos|ado)|perd(?:í|imos|ido)|sin"
        "|(?:abandon|cambi)(?:é|amos|ado)(?: (?:de|del|el|la|mi))?|pas(?:é|amos|ado) del?"
        "|(?:reempla(?:cé|zamos|zado)|sustitu(?:í|imos|ido))(?: a)?|renunci(?:é|ado) a"
        "|en (?:vez|lugar) del?|ya no|no (?:era|es)|no|nunca|tampoco|adiós a|nada de"
        "|romp(?:í|imos) con|me divorcié de|termin(?:é|ado)(?: con)?|salí de|me (?:fui|mudé) de"
        "|(?:hart[oa]|cansad[oa]) del?|me (?:cansé|harté|aburrí|deshice) del?|despedí a"
        "|(?:después|luego) de(?= [^.,;]{2,24} (?:adopt|acog|compr|vino|llegó|empec|tuv|eleg)\\w*)"
    ),
    joins="y|e|pero|por|para|sino|porque",
    is_over=(
        "(?:está|están|estaba|ha sido|han sido|fue|fueron|queda|quedó)"
        " (?:cerrad|cancelad|anulad|vendid|muert|suspendid|terminad|descartad)[oa]s?"
        "|murió|ha muerto|falleció|ha fallecido|nos dejó|caducó|quebró|cerró|desapareció"
        "|se (?:fue|ha ido|escapó|ha escapado)(?! (?:a|de) )|(?:ahora|ya) se llama|se llama ahora"
        "|se (?:jubiló|ha jubilado|acabó|canceló|anuló|suspendió|marchó|murió|terminó|perdió)"
        "|dimitió|renunció|y yo (?:rompimos|nos separamos|lo dejamos)|ya no|ni hablar"
        "|(?:lo|la|los|las) (?:vendí|vendimos|dejé|dejamos|cancelé|anulé|cambié|perdí|cerré)"
    ),
    plans=r"(?:voy|va|vamos|van) a|quiero|queremos|quiere|pienso|pensamos|planeo|planeamos",
    asks_plans=r"(?:voy|va|vamos|van) a|quiero|queremos|planes|pensamos|planeamos",
    looks_ahead=r"(?:voy|vas|va|vamos|van) a|próxim[oa]s?|que viene",
    announces=(
        r"(?:es|son|será|empieza|comienza|sale|llega|termina|acaba|vence|cita|previst[oa]s?"
        r"|reservad[oa]s?|programad[oa]s?|aplazad[oa]s?|pospuest[oa]s?|adelantad[oa]s?)"
        r"(?: (?:para|al|hasta|el|en))*"
        r"(?: (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo),?)? #"
    ),
    begins=r"(?:a partir de|desde)l?(?: el)? (?:\d|mañana|<month>|próxim[oa])",
    states_have=(
        "vivo|vive|vivimos|mudé|mudó|mudado|mudamos|trabaj|dejé mi|murió|muerto|fallec|direcci"
        "|cómo está|cómo le|despid|jubil|resid|instal|traslad|piso|casa|departamento|apartamento"
        "|hogar|vivienda|vivir|viviendo|ciudad|pueblo|barrio|domicilio|empresa|empleo|puesto"
        "|contrat|entré"
    ),
    states={
        "home": (
            r"(?:vivo|vivimos)(?: ahora| ya| actualmente)? en (?!paz\b|la luna\b)\w+"
            r"|(?:me (?:mudé|he mudado|trasladé)|nos (?:mudamos|hemos mudado)) a \w+"
            r"|(?:resido|residimos|me (?:instalé|he instalado)|nos instalamos)(?: ahora)? en \w+"
            r"|(?:me|nos) (?:fui|fuimos|he ido|hemos ido|vine|vinimos) a vivir a \w+"
            r"|estoy viviendo en \w+|(?:mi|nuestra) (?:nueva )?dirección es"
            r"|(?:mi|nuestr[oa]) (?:nuev[oa] )?"
            r"(?:piso|casa|apartamento|departamento|hogar|vivienda)"
            r" (?:está|queda|es)(?: ahora)? en \w+",
            rf"{_MY} (?:vive(?: ahora)? en|se (?:mudó|ha mudado) a) \w+",
            rf"{_WHO} (?:vive(?: ahora)? en|se (?:mudó|ha mudado) a) \w+",
        ),
        "work": (
            r"(?<!mi )(?<!el )trabajo(?: ahora| ya)? (?:en|para) "
            r"(?!el |la |los |las |un |una |casa\b|equipo\b)\w+"
            r"|empecé (?:a trabajar|un nuevo trabajo|mi nuevo trabajo) en \w+"
            r"|dejé mi (?:trabajo|empleo)|me (?:despidieron|jubilé)"
            r"|mi (?:nueva |actual )?empresa(?: actual| nueva)? (?:es|se llama) \w+"
            r"|mi (?:nuevo |actual )?(?:trabajo|empleo|puesto) (?:es|está) en \w+"
            r"|(?:me contrató|me contrataron en|me ha contratado|entré (?:a trabajar )?en) \w+",
            rf"{_MY} trabaja(?: ahora)? (?:en|para) (?!el |la |casa\b)\w+",
            rf"{_WHO} trabaja(?: ahora)? (?:en|para) (?!el |la |casa\b)\w+",
        ),
        "death": (rf"{_MY} {_DIED}", rf"{_WHO} {_DIED}"),
    },
    long_ago=r"cuando|de niñ[oa]|de pequeñ[oa]|en aquella época",
    asks_states={
        "home": (
            r"dónde (?:vivo|vivimos|resido)|cuál es (?:mi|nuestra) (?:nueva )?dirección"
            r"|(?:en )?(?:qué|cuál) (?:ciudad|pueblo|barrio|país|lugar|calle)(?: es donde)?"
            r" (?:vivo|vivimos|resido)"
            r"|cuál es (?:mi|nuestr[oa]) (?:ciudad|pueblo|barrio|domicilio)"
            r"|dónde (?:está|queda) (?:mi|nuestr[oa]) (?:piso|casa|apartamento|departamento|hogar)",
            rf"dónde vive (?:{_MY}|{_WHO})",
        ),
        "work": (
            r"dónde trabajo|para quién trabajo"
            r"|(?:en|para) qué (?:empresa|compañía) (?:trabajo|estoy)"
            r"|(?:cuál|quién) es mi (?:empresa|trabajo|empleo|empleador)",
            rf"dónde trabaja (?:{_MY}|{_WHO})",
        ),
        "death": (rf"cómo (?:está|le va a) (?:{_MY}|{_WHO})",),
    },
    negations="no nunca jamás sin nada ningún ninguna",
    subjects=(
        "vivo vive vivimos resido casa hogar piso ciudad dirección mudanza alquilo alquilando mudé",
        "trabajo trabaja empresa empleo empleado empleada empleador puesto contrataron contrató",
        "jefe jefa manda dirige equipo encargado encargada dependo",
        "perro perra cachorro mascota",
        "alergia alergias alérgico alérgica reacciono",
        "bebida bebidas bebo beber tomo tomar",
        "profesión oficio dedica trabaja trabajo",
    ),
    state_synonyms=(
        ("trabajo trabajas trabaja empresa", "dejé dejó empecé empezó renuncié contrató empresa"),
        ("jefe jefa", "jefe jefa encargado encargada responsable superior"),
        ("perro perra mascota", "perro perra perrito perrita cachorro cachorra mascota adoptamos"),
        ("gato gata", "gato gata gatito gatita mascota adoptamos"),
        ("bebida bebo beber tomo", "bebida bebo beber tomo prefiero favorita favorito"),
        ("alergia alérgico alérgica", "alergia alérgico alérgica"),
        ("cita", "cita visita turno"),
        ("coche carro", "vendí vendió vendido compré"),
        ("vivo vives vive resido", "mudé mudado mudamos dirección"),
    ),
    asks_amount=(
        "cu[aá]nt[oa]s?|qu[eé] (?:edad|número|talla|precio|código|dosis|peso|altura|piso|versión)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:desde|hasta|para|durante|a partir de) )?(?:cuándo|cuánto (?:tiempo|hace)"
        r"|hace cuánto|cuánt[oa]s (?:días|semanas|meses|años|horas)"
        r"|(?:(?:en|a) )?qué (?:día|fecha|mes|año|semana|hora))"
    ),
    other_times=(
        "mañana|tarde|noche|hora|horas|minuto|minutos|recientemente|desde|primavera|verano|otoño"
        "|invierno|pasad[oa]|próxim[oa]"
    ),
)
