"""Portuguese language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# ── States ──
_IN: Final = r"(?:em|no|na|nos|nas)"
_NOW: Final = r"(?: agora| já| atualmente)*"

PORTUGUESE: Final = Language(
    name="Portuguese",
    relations=RelationWords(
        i="[Ee]u",
        my="minha|meu|nossa|nosso",
        is_called=r"(?:,|\s+(?:é(?:\s+[ao])?|chama-se|se\s+chama))?",
        kin={
            "wife": "mulher|esposa",
            "husband": "marido|esposo",
            "partner": "namorada|namorado|companheira|companheiro",
            "mother": "mãe",
            "father": "pai",
            "sister": "irmã",
            "brother": "irmão",
            "daughter": "filha",
            "son": "filho",
            "grandmother": "avó",
            "grandfather": "avô",
            "aunt": "tia",
            "uncle": "tio",
            "cousin": "prima|primo",
            "friend": "amiga|amigo",
            "boss": "chefe",
            "colleague": "colega",
            "neighbour": "vizinha|vizinho",
            "pet": "cão|cachorro|cadela|gata|gato",
        },
        works_at=r"trabalh(?:o|a|am) (?:na|no|em|para a|para o|para)",
        lives_in=r"(?:mor(?:o|a|am)|viv(?:o|e|em)) (?:em|no|na)",
        own_work=r"[Tt]rabalh(?:o|amos) (?:na|no|em|para a|para o|para)",
        own_home=(
            r"(?:[Mm]or(?:o|amos)|[Vv]iv(?:o|emos)) (?:em|no|na)"
            r"|[Mm]udei(?:-me)? (?:d[eoa] (?:[\w-]+ ){1,3})?para(?: o| a)?"
            r"|[Nn]os mudamos (?:d[eoa] (?:[\w-]+ ){1,3})?para(?: o| a)?"
        ),
        located_in=r"(?:fica em|tem sede em)",
        married=Marriage(
            signs="casad[oa]s?|casou|casei|casaram",
            between=(
                r"(?:(?:é|está) (?:\w+ )?casad[oa] com(?: [oa])?"
                r"|(?:se )?casou(?:-se)? com(?: [oa])?)"
            ),
            own=r"[Ss]ou (?:\w+ )?casad[oa] com(?: [oa])?|[Cc]asei(?:-me)? com(?: [oa])?",
            and_="e",
            are="(?:são casad[oa]s|casaram)",
        ),
        over=RelationEnds(
            signs=(
                r"trabalh(?:ei|ou|ava|avam)|mor(?:ei|ou|ava|avam)|viv(?:i|eu|ia|iam)|separ[áa]mo"
                r"|separamos|divorciamos|divorciei|separei|terminei com|divorciad[oa]|separad[oa]"
                r"|solteir[oa]|demitiu|reformou|aposentou|demitid[oa]|despedid[oa]|perdeu o"
                r"|desempregad[oa]|demiti|aposentei|reformei|perdi o|larguei o"
                r"|(?:mor(?:o|a|am)|viv(?:o|e|em)|trabalh(?:o|a|am)) mais"
            ),
            worked_at=r"trabalh(?:ei|ou|ava|avam) (?:na|no|em|para a|para o|para)",
            lived_in=r"(?:mor(?:ei|ou|ava|avam)|viv(?:i|eu|ia|iam)) (?:em|no|na)",
            own_worked=r"(?:[Tt]rabalhei|^[Tt]rabalhava) (?:na|no|em|para a|para o|para)",
            own_lived=r"(?:[Mm]orei|[Vv]ivi|^[Mm]orava|^[Vv]ivia) (?:em|no|na)",
            former=r"\b(?:ex[- ]?(?=<kin>)|antig[oa] )",
            parted=(
                r"[Ss]epar[áa]mo-nos|[Nn]os (?:separamos|divorciamos)|[Dd]ivorciei-me"
                r"|[Ss]eparei-me|[Mm]e (?:divorciei|separei)|[Tt]erminei com|[Ee]stou (?:divorciad"
                r"|separad|solteir)[oa]"
            ),
            jobless=(
                r"(?:demitiu-se|se demitiu|reformou-se|aposentou-se|se aposentou|foi (?:demitid"
                r"|despedid)[oa]|perdeu o emprego|está desempregad[oa])"
            ),
            own_jobless=(
                r"[Dd]emiti-me|[Mm]e (?:demiti|aposentei)|[Rr]eformei-me|[Aa]posentei-me"
                r"|[Ff]ui (?:demitid|despedid)[oa]|(?:[Pp]erdi|[Ll]arguei) o (?:meu )?emprego"
                r"|[Ee]stou desempregad[oa]"
            ),
        ),
    ),
    speaker=(
        r"\w{2,}(?:amos|emos|imos)|\w{3,}ei|ando|vou|pago|ganho|peso|corro|fumo|posso|quero|eu"
        r"|meu|minha|meus|minhas|nós|nosso|nossa|nossos|nossas|me|sou|estou|moro|vivo"
        r"|trabalho|tenho|prefiro|odeio|amo|estudo|nasci|faço|falo|uso|jogo|toco|como"
        r"|bebo|dirijo|somos|moramos|temos|trabalhamos|comprei|vendi|sofro|coleciono"
        r"|detesto|adoro"
    ),
    untold=(
        r"(?:podes?|poderia|queres?|você pode) |por favor|se (?:eu|nós|fosse|tivesse|for)"
        r"|suponha|imagine|(?:acho|penso|creio|suponho|espero|entendo|não sei|me pergunto)"
        r"|(?:diga|dê|mostre|ajude|explique|lembre)(?: |-)me|tenho uma (?:pergunta|dúvida)"
        r"|(?:quero|gostaria de) (?:saber|que)"
    ),
    asides="""
        ah afinal além aliás bem correção depois enfim então finalmente infelizmente não ok olha
        ora pois portanto sim também""",
    courtesies=(
        "claro|com certeza|perfeito|sem problema|parabéns|um momento|ótimo|"
        "entendido|anotado|obrigado|obrigada|muito obrigado|"
        "muito obrigada|de nada|olá|oi|bom dia|boa tarde|boa noite|tchau|até logo|"
        "até amanhã"
    ),
    accents="áâãàçéêíóôõú",
    unsaid=r"\b(?:neste momento|no momento|hoje em dia|por agora)\b",
    small="""
        devo posso fica costumo costuma faço estar ter""",
    shown_by="""
        o a os as um uma uns umas de do da dos das no na nos nas ao à aos às e ou mas eu tu ele ela
        nós você vocês eles elas me te se lhe meu minha meus minhas teu seu sua é sou és somos são
        era eram foi fui foram estou está estava estive tenho tem tinha tive há que quem como onde
        quando quanto quanta quantos quantas por para pra com sem em não sim muito mais também já
        este esta esse essa isso isto pelo pela num numa ontem hoje anteontem amanhã passado
        passada atrás até desde vou vai vamos vão vem aqui ali tudo sobre entre vimos""",
    months=each(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
    ),
    months_short=each("jan fev mar abr mai jun jul ago set out nov dez"),
    weekdays=each(
        "segunda|segunda-feira terça|terça-feira quarta|quarta-feira quinta|quinta-feira"
        " sexta|sexta-feira sábado domingo"
    ),
    units={
        "day": "dia|dias",
        "week": "semana|semanas",
        "month": "mês|meses",
        "year": "ano|anos",
    },
    spans={
        "week": "semana",
        "weekend": "fim de semana|final de semana",
        "month": "mês",
        "year": "ano",
    },
    numbers={
        2: "dois|duas|par de",
        3: "três|uns|umas|alguns|algumas",
        4: "quatro",
        5: "cinco",
        6: "seis",
        7: "sete",
        8: "oito",
        9: "nove",
        10: "dez",
        11: "onze",
        12: "doze",
    },
    ones="um|uma",
    half="meio",
    monthdays={1: "primeiro"},
    ordinal="o?",
    days={0: "hoje", -1: "ontem", -2: "anteontem|antes de ontem"},
    told_days={1: "amanhã", 2: "depois de amanhã"},
    # "Há dois dias de festa" counts days and says not when.
    ago=(r"há (?:cerca de |quase |um )?<long>(?! (?:de|em|por)\b)", r"(?:um )?<long> atrás"),
    from_now=(r"(?:daqui a|dentro de) (?:um )?<long>",),
    lately=(r"últim[oa]s <several> <unit>",),
    last=(r"<span> passad[oa]", r"(?:no|na) passad[oa] <span>"),
    this=(r"n?est[ea] <stretch>",),
    next=(r"<span> (?:que vem|próxim[oa])", r"próxim[oa] <span>"),
    weekday_last=(r"<weekday> da semana passada",),
    weekday_next=(r"<weekday> da (?:semana que vem|próxima semana)",),
    dates=(
        r"<day> de <mon>(?: de|,)? <year>",
        r"<day>/<number>/<year>",
        r"<day> de <month>",
        r"<month>(?: de|,)? <year>",
        r"(?:em|desde|mês de|início de|meados de|fim de|final de) <month>",
    ),
    left_alone=(
        r"(?:até|antes d[eao]) (?:o |a |ao |à )?(?:amanhã|depois de amanhã|hoje|próxim[oa] \w+"
        r"|\w+ (?:que vem|próxim[oa]|passad[oa]))"
    ),
    asks_of_then=(
        "era|eram|foi|foram|tinha|tinham|antes|anterior(?:es)?|antig[oa]s?|originalmente"
        "|primeiro|morava|vivia|trabalhava|tomava"
    ),
    tells_change=(
        "agora|já não|na verdade|mudança de planos?|não [^.!?]*mais|nov[oa]s?|em vez|afinal não"
        "|mud(?:ei|ou|amos|aram|ado)"
        "|adi(?:ou|ado|ada|aram)|remarcad[oa]|cancel(?:ou|ado|ada)|deix(?:ei|ou)"
        "|vend(?:i|eu|emos|ido)|morreu|faleceu|separ(?:amos|ámos|ad[oa]s?)|divorciad[oa]s?"
        "|substituíd[oa]|aument(?:ou|aram|ado|ada)|sub(?:iu|iram|ido)|baix(?:ou|aram|ado)"
        "|reduzi(?:u|ram|do|da)|a partir de|doravante"
    ),
    ends=(
        "deix(?:ei|ámos|amos)(?: d[eoa])?|fech(?:ei|ámos|amos)|cancel(?:ei|ámos|amos)|vend(?:i"
        "|emos)|larguei"
        "|em vez d[eoa]|já não|não|nunca|adeus|termin(?:ei|ámos|amos)(?: com)?"
        "|divorciei me d[eoa]|saí d[eoa]"
        "|troquei"
    ),
    joins="e",
    is_over=(
        "morreu|faleceu|reformou-se|aposentou-se|se aposentou|demitiu-se|acabou|fechou"
        "|foi (?:cancelad|vendid)[oa]"
        "|e eu (?:terminámos|terminamos|nos separamos)"
    ),
    looks_ahead=r"vou|vais|vai|vamos|vão|próxim[oa]s?|que vem",
    negations="não nem sem nenhum nunca nada",
    plans=r"quer(?:o|emos)|gostar(?:ia|íamos) de|(?:penso|pensamos) em|pretend(?:o|emos)|sonho em",
    states_have=(
        "mor|viv|resid|mud|endereço|trabalh|contratad|demi|desempreg|aposent|reform|empres"
    ),
    states={
        "home": (
            rf"(?<!não )(?:moro|moramos|vivo|vivemos|resido){_NOW} {_IN} (?!paz\b|casa\b)\w+"
            r"|(?:(?:me|nos) mud(?:ei|amos|ámos)|mudei-me|mudámo-nos|mudamo-nos)(?: \w+)?"
            r" (?:para|pra) (?:o |a |os |as )?\w+"
            r"|(?:eu |nós )?mud(?:ei|amos)(?: de casa)? (?:para|pra) (?!o |a |um |uma |outr)\w+"
            r"|(?:meu|nosso) (?:novo )?endereço é|minha (?:nova )?morada é",
        ),
        "work": (
            rf"(?<!não )(?<!o )(?<!meu )(?<!um )(?<!de )trabalho{_NOW} (?:{_IN}|para|pra)"
            r" (?!casa\b|um |uma |o |a )\w+"
            rf"|comecei a trabalhar {_IN} \w+|fui contratad[oa] (?:pel[oa]|por) \w+"
            r"|(?:pedi demissão|fui demitid[oa]|despedi-me|estou desempregad[oa]|me aposentei"
            r"|reformei-me)",
        ),
    },
    asks_states={
        "home": (
            r"onde (?:é que )?(?:eu )?(?:moro|moramos|vivo|vivemos|resido)"
            r"|em (?:que|qual) (?:cidade|bairro|rua|país) (?:é que )?(?:eu )?(?:moro|vivo)"
            r"|qual (?:é )?(?:o )?meu (?:novo )?endereço|qual é a minha (?:nova )?morada",
        ),
        "work": (
            r"onde (?:é que )?(?:eu )?trabalho|para quem (?:eu )?trabalho"
            r"|(?:em|para) (?:que|qual) empresa (?:é que )?(?:eu )?trabalho",
        ),
    },
    long_ago=r"quando (?:eu )?(?:era|tinha)|em (?:criança|pequen[oa])|antigamente|anos atrás",
    state_synonyms=(
        ("vivo vives vive resido", "mudei mudança endereço"),
        ("moro moras mora", "mudei mudamos mudança endereço morada"),
    ),
    asks_amount=(
        "quant[oa]s?|qual [^.!?]*?(?:idade|número|tamanho|preço|código|dose|peso|altura|andar"
        "|renda|aluguel)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:desde|até|para|por|a partir de|há) )?(?:quando|quanto tempo"
        r"|quant[oa]s (?:dias|semanas|meses|anos|horas)"
        r"|(?:(?:em|a|de) )?(?:que|qual) (?:dia|data|mês|ano|semana|hora))"
    ),
    other_times=(
        "manhã|tarde|noite|hora|horas|minuto|minutos|recentemente|primavera|verão|outono|inverno"
        "|passad[oa]|próxim[oa]"
    ),
)
