"""What Spanish says of time and for politeness."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import RelationWords

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
        lives_in=r"(?:viv(?:o|e|en|imos) en|me mudé a|se mudó a)",
        own_work=r"[Tt]rabaj(?:o|amos) (?:en|para)",
        own_home=r"[Vv]iv(?:o|imos) en|[Mm]e (?:he mudado|mudé|trasladé) a|[Nn]os mudamos a",
        located_in=r"(?:está en|tiene su sede en)",
    ),
    speaker=(
        r"yo|mi|mis|mío|mía|nosotr[oa]s|nuestr[oa]s?|me|soy|estoy|vivo|trabajo|tengo"
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
    courtesies=(
        "claro|claro que sí|por supuesto|perfecto|genial|felicidades|un momento|sin problema|"
        "vale|de acuerdo|entendido|anotado|gracias|muchas gracias|de nada|hola|"
        "buenos días|buenas tardes|buenas noches|adiós|hasta luego|hasta mañana"
    ),
    shown_by="""
        el la los las un una unos unas de del al y e o pero yo tú él ella nosotros ellos ellas me
        te se lo le les nos mi mis tu tus su sus es soy eres somos son era eran fue fui fuimos
        estoy está estaba estuve he has ha hemos han había tengo tiene tenía que qué quién cómo
        dónde cuándo cuánto cuánta cuántos cuántas por para con sin en no sí muy más también ya hay
        hace este esta estos estas ese esa como cuando donde porque ayer hoy anteayer pasado pasada
        hasta desde a voy vas va vamos van ti viene entonces aquí allí nada todo todos eso esto
        sobre entre mucho mañana vimos""",
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
        "ahora|ya no|nuev[oa]s?|en (?:vez|lugar) de|al final no|camb(?:ió|ié|iaron|iado|iamos)"
        "|mud(?:é|ó|amos|aron|ado)|aplaz(?:ó|aron|ado|ada)|cancel(?:ó|aron|ado|ada)"
        "|dej(?:é|ó|amos)|vend(?:í|ió|imos|ido)|murió|falleció|separamos|separad[oa]s?"
        "|divorciad[oa]s?|sustituid[oa]|reemplaz(?:ó|ado)|sub(?:e|ió) a|baj(?:a|ó) a"
        "|pas(?:a|ó) a|a partir de|desde ahora"
    ),
    ends=(
        "dej(?:é|ó|amos|ado)(?: de)?|cerr(?:é|amos|ado)|cancel(?:é|amos|ado)|vend(?:í|imos|ido)"
        "|abandon(?:é|ado)|en (?:vez|lugar) de|ya no|no era|no|nunca|adiós a|romp(?:í|imos) con"
        "|me divorcié de|termin(?:é|ado)(?: con)?|salí de|me fui de|hart[oa] de"
    ),
    joins="y|e",
    is_over=(
        "(?:está|están|ha sido|fue) (?:cerrad|cancelad|vendid|muert)[oa]|murió|falleció"
        "|se (?:jubiló|acabó|canceló)"
        "|dimitió|renunció|y yo (?:rompimos|nos separamos|lo dejamos)|ya no"
    ),
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
        "|cómo está|cómo le|despid|jubil"
    ),
    states={
        "home": (
            r"(?:vivo|vivimos)(?: ahora| ya)? en (?!paz\b|la luna\b)\w+"
            r"|(?:me (?:mudé|he mudado)|nos (?:mudamos|hemos mudado)) a \w+"
            r"|(?:mi|nuestra) nueva dirección es",
            rf"{_MY} (?:vive(?: ahora)? en|se (?:mudó|ha mudado) a) \w+",
            rf"{_WHO} (?:vive(?: ahora)? en|se (?:mudó|ha mudado) a) \w+",
        ),
        "work": (
            r"(?<!mi )(?<!el )trabajo(?: ahora| ya)? (?:en|para) "
            r"(?!el |la |los |las |un |una |casa\b|equipo\b)\w+"
            r"|empecé (?:a trabajar|un nuevo trabajo|mi nuevo trabajo) en \w+"
            r"|dejé mi (?:trabajo|empleo)|me (?:despidieron|jubilé)",
            rf"{_MY} trabaja(?: ahora)? (?:en|para) (?!el |la |casa\b)\w+",
            rf"{_WHO} trabaja(?: ahora)? (?:en|para) (?!el |la |casa\b)\w+",
        ),
        "death": (rf"{_MY} {_DIED}", rf"{_WHO} {_DIED}"),
    },
    long_ago=r"cuando|de niñ[oa]|de pequeñ[oa]|en aquella época",
    asks_states={
        "home": (
            r"dónde (?:vivo|vivimos)|cuál es (?:mi|nuestra) (?:nueva )?dirección",
            rf"dónde vive (?:{_MY}|{_WHO})",
        ),
        "work": (
            r"dónde trabajo|para quién trabajo",
            rf"dónde trabaja (?:{_MY}|{_WHO})",
        ),
        "death": (rf"cómo (?:está|le va a) (?:{_MY}|{_WHO})",),
    },
    negations="no nunca jamás sin nada ningún ninguna",
    state_synonyms=(
        ("trabajo trabajas trabaja", "dejé dejó empecé empezó renuncié"),
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
