"""Dutch language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# ── States ──
_NOW: Final = r"(?: nu| tegenwoordig| inmiddels| momenteel| al)*"

DUTCH: Final = Language(
    name="Dutch",
    relations=RelationWords(
        i="[Ii]k",
        my="mijn|onze|ons",
        is_called=r"(?:,|\s+(?:is|heet))?",
        kin={
            "wife": "vrouw|echtgenote",
            "husband": "man|echtgenoot",
            "partner": "partner|(?<!beste )vriendin|(?<!beste )vriend",
            "friend": "beste vriendin|beste vriend",
            "mother": "moeder|mama",
            "father": "vader|papa",
            "sister": "zus|zusje",
            "brother": "broer|broertje",
            "daughter": "dochter",
            "son": "zoon",
            "grandmother": "oma",
            "grandfather": "opa",
            "aunt": "tante",
            "uncle": "oom",
            "cousin": "neef|nicht",
            "boss": "baas",
            "colleague": "collega",
            "neighbour": "buurman|buurvrouw",
            "pet": "hond|kat|poes",
        },
        works_at=r"werk(?:t|en)? (?:nu )?(?:bij|voor)",
        lives_in=r"(?:woon(?:t)?|wonen) (?:nu )?in",
        own_home=(
            r"(?:[Ii]k ben"
            r"|[Ww]ij? zijn)(?=[^.]*verhuisd)(?: \w+)?(?: van(?: [\w-]+){1,3})? naar"
            r"|[Ii]k verhuisde (?:van (?:[\w-]+ ){1,3})?naar"
        ),
        located_in=r"(?:zit in|is gevestigd in)",
        married=Marriage(
            signs="getrouwd|gehuwd|trouwde",
            between=r"(?:(?:is|ben)(?=[^.]*\b(?:getrouwd|gehuwd))(?: \w+){0,2}? met|trouwde met)",
            own="[Bb]en (?:getrouwd|gehuwd) met",
            and_="en",
            are=r"zijn(?: \w+)? (?:getrouwd|gehuwd)",
        ),
        over=RelationEnds(
            signs=(
                r"werkten?|gewerkt|woonden?|gewoond|uit elkaar|gescheiden|uitgemaakt|ontslagen"
                r"|met pensioen|werkloos|ontslag genomen|baan opgezegd|baan verloren"
                r"|(?:woont?|wonen|werk(?:t|en)?) niet"
            ),
            worked_at=(
                r"(?:werkten? (?:vroeger )?(?:bij|voor)|(?:heb|heeft"
                r"|hebben)(?=[^.]*\bgewerkt)(?: \w+)? (?:bij|voor))"
            ),
            lived_in=(
                r"(?:woonden? (?:vroeger )?in|(?:heb|heeft|hebben)(?=[^.]*\bgewoond)(?: \w+)? in)"
            ),
            former=r"\b(?:ex-?(?=<kin>)|voormalige )",
            parted=(
                r"(?:[Ww]e|[Ww]ij|[Ii]k)(?: \w+){1,4} (?:uit elkaar|gescheiden)"
                r"|[Ii]k heb het uitgemaakt"
            ),
            jobless=(
                r"(?:(?:is|ben) (?:ontslagen|met pensioen|werkloos)|(?:heb"
                r"|heeft)(?: \w+){0,3} (?:ontslag genomen|baan (?:opgezegd|verloren)))"
            ),
        ),
    ),
    speaker=(r"ik|mijn|m n|wij|we|ons|onze"),
    untold=(
        r"(?:kun|kan|wil|zou) (?:je|jij|u)|alsjeblieft|alstublieft|indien|stel"
        r"|als (?:ik|je|jij|u|we|wij|het|er)"
        r"|ik (?:denk|geloof|bedoel|snap|begrijp|weet niet|vraag|hoop|vermoed)"
        r"|ik (?:wil|zou) (?:graag )?(?:weten|vragen|dat)|ik heb een vraag"
        r"|(?:zeg|toon|geef|help|leg)(?: het)? (?:me|mij|ons)|kan ik|laten we"
    ),
    asides="""
        ah bovendien correctie daarnaast dus echt eerlijk eigenlijk eindelijk helaas ja kortom
        nee nou ok oh overigens tenslotte trouwens verder""",
    courtesies=(
        "natuurlijk|zeker|geen probleem|prima|perfect|gefeliciteerd|een momentje|"
        "oké|begrepen|genoteerd|dank je|dank je wel|dank u|dank u wel|bedankt|"
        "graag gedaan|hallo|hoi|goedemorgen|goedemiddag|goedenavond|welterusten|doei|"
        "tot ziens|tot straks|tot morgen"
    ),
    accents="ëïéóö",
    unsaid=r"\b(?:op dit moment|op het moment|tegenwoordig)\b",
    small="""
        moet kan vind heb doe doet""",
    shown_by="""
        de het een en of maar ik je jij hij zij ze wij we jullie mij me jou hem haar ons hun is was
        waren ben bent zijn heb hebt heeft hebben had hadden word wordt werd werden niet geen met
        van voor naar op in aan uit bij tot te om over door dat die dit deze wat wie hoe waar
        wanneer waarom welke mijn jouw onze ook nog al heel er dan als toen gisteren eergisteren
        vandaag vorige vorig afgelopen volgende geleden hier daar sinds ga gaat gaan iets alles
        veel jaar""",
    months=each(
        "januari februari maart april mei juni juli augustus september oktober november december"
    ),
    months_short=each("jan feb mrt apr mei jun jul aug sep|sept okt nov dec"),
    weekdays=each("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
    units={
        "day": "dag|dagen",
        "week": "week|weken",
        "month": "maand|maanden",
        "year": "jaar|jaren",
    },
    spans={"week": "week", "weekend": "weekend", "month": "maand", "year": "jaar"},
    numbers={
        2: "twee",
        3: "drie|paar",
        4: "vier",
        5: "vijf",
        6: "zes",
        7: "zeven",
        8: "acht",
        9: "negen",
        10: "tien",
        11: "elf",
        12: "twaalf",
    },
    ones="een",
    half="half|halve",
    days={
        0: "vandaag",
        -1: "gisteren|gisteravond|gisterochtend|gistermiddag|gisternacht",
        -2: "eergisteren",
    },
    # The morning has the same name as tomorrow.
    told_days={
        1: (
            r"(?<!de )(?<!goede )(?<!elke )(?<!iedere )(?<!een )(?<!die )(?<!dag )morgen"
            r"(?![!,])"
        ),
        2: "overmorgen",
    },
    ago=(r"(?:een )?<long> geleden",),
    within=(r"over (?:een )?<long>",),
    lately=(r"(?:afgelopen|laatste) <several> <unit>",),
    last=(r"(?:vorige?|afgelopen|verleden) <span>",),
    this=(r"(?:deze|dit) <stretch>",),
    next=(r"(?:volgende?|komende?|aanstaande) <span>",),
    weekday_last=(r"<weekday> (?:van )?vorige week",),
    weekday_next=(r"<weekday> (?:van )?volgende week",),
    dates=(
        r"<day> <mon>\.? <year>",
        r"<day>[-/]<number>[-/]<year>",
        r"<day> <month>",
        r"<month> <year>",
        r"(?:in|sinds|vanaf|begin|half|eind) <month>",
    ),
    left_alone=(
        r"(?:tot|voor|tegen) (?:en met )?(?:overmorgen|morgen|vandaag"
        r"|(?:de )?(?:volgende?|komende?|vorige?|aanstaande) \w+)"
    ),
    tells_past=r"was|waren|had|hadden|werd|werden|ging|gingen|kwam|kwamen|deed|schreef|duurde",
    asks_of_then=(
        "was|waren|had|hadden|vroeger|eerder|eerst|voorheen|daarvoor|oorspronkelijk|woonde|werkte"
    ),
    tells_change=(
        "nu|verandering van plan(?:nen)?|eigenlijk toch|voortaan|inmiddels|nieuwe?|niet meer"
        "|geen [^.!?]*meer|nog maar|in plaats|toch niet"
        "|verhuisd|verplaatst|verzet|veranderd|gewijzigd|overgestapt|afgezegd|geannuleerd"
        "|gestopt|ontslag|verkocht|overleden|gestorven|uit elkaar|gescheiden|vervangen|verhoogd"
        "|verlaagd"
    ),
    ends=(
        "in plaats van|niet(?: meer)?(?: (?:bij|in|met))?|geen|nooit|weg (?:bij|uit|van)"
        "|klaar met|gestopt met"
    ),
    joins="en",
    words_before=3,  # the verb may stand behind all that it ends
    is_over=(
        "opgezegd|verkocht|afgezegd|geannuleerd|opgegeven|verlaten|gestopt|gescheiden|overleden"
        "|gestorven"
        "|met pensioen|uit elkaar|ingeruild|(?:is|zijn) (?:weg|voorbij|dicht|dood|over|te \\w+)"
    ),
    looks_ahead=r"zal|zullen|ga|gaan|gaat|volgende?|komende?|aanstaande",
    negations="niet geen nooit zonder",
    plans=r"(?:wil|willen)|zou(?:den)? (?:\w+ )?willen|van plan|droom ervan",
    states_have="woon|wonen|verhui|adres|werk|begonnen|gestart|aangenomen|ontslag|pensioen",
    states={
        "home": (
            rf"(?:ik woon|wij wonen|we wonen|woon ik|wonen we|wonen wij){_NOW} in \w+"
            r"|(?:ik ben|wij zijn|we zijn|ben ik|zijn we|zijn wij)(?: (?!naar\b)\w+){0,3}"
            r" (?:naar (?!de |het |een )\w+(?: \w+)? verhuisd|verhuisd naar (?!de |het |een )\w+)"
            r"|(?:mijn|ons) (?:nieuwe )?adres is",
        ),
        "work": (
            rf"(?:ik werk|werk ik){_NOW} (?:bij|voor) (?!de |het |een |mezelf\b)\w+"
            r"|(?:ik ben|ben ik)(?: (?!bij\b)\w+){0,3}"
            r" (?:bij (?!de |het |een )\w+ (?:begonnen|gestart|aangenomen)"
            r"|(?:begonnen|gestart|aangenomen) bij (?!de |het |een )\w+)"
            r"|ik heb(?: \w+){0,2} ontslag genomen|ik ben(?: nu)? met pensioen",
        ),
    },
    asks_states={
        "home": (
            r"waar (?:woon ik|wonen we|wonen wij)"
            r"|in welke? (?:stad|straat|plaats|dorp|buurt|land) woon ik"
            r"|wat is (?:mijn|ons) (?:nieuwe )?adres",
        ),
        "work": (
            r"waar werk ik|(?:bij|voor) wie werk ik|bij welk bedrijf werk ik"
            r"|wie is mijn werkgever",
        ),
    },
    long_ago=r"toen ik|als kind|vroeger|jaren geleden",
    state_synonyms=(("woon woont wonen", "verhuisd verhuizing adres"),),
    asks_amount=(
        "hoe ?(?:veel|oud|groot|lang|ver|zwaar|hoog|duur|snel|vaak)|welke? [^.!?]*?(?:nummer|maat"
        "|prijs|code)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:sinds|tot|vanaf) )?(?:wanneer|hoe ?lang|hoe laat"
        r"|hoeveel (?:dagen|weken|maanden|jaren|jaar|tijd|uur)"
        r"|(?:(?:in|op|om) )?welke? (?:dag|datum|maand|jaar|week|tijd))"
    ),
    other_times=(
        "ochtend|middag|avond|nacht|uur|uren|minuut|minuten|onlangs|sinds|lente|zomer|herfst"
        "|winter|vorige|volgende"
    ),
)
