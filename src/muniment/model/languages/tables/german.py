"""German language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# What goes on by a plan, and that a clause tells of nothing that is over.
_GOES: Final = (
    "ist|sind|findet|finden|beginnt|startet|endet|geht|fliegt|fliege|fliegen|fährt|fahre|fahren"
    "|kommt|läuft|termin|frist"
)
_NOT_OVER: Final = (
    r"(?![^.!?;]*\b(?:\w*ge\w{2,}(?:t|en)|(?:ver|be|er|ent|zer|über|unter)\w{2,}(?:t|en)|passiert"
    r"|war|hatte)\b)"
)

# ── States ──
_FEW: Final = r"(?: (?!wenn|ob)\w+){0,4}?"
_MY: Final = r"mein(?:e|er|em|en)? <kin>(?: <name>)?"
_WHO: Final = r"(?!(?:er|sie|es|wer|das|der|die|man|und|dann)\b)<who>"
_IN: Final = r"(?:in|im|am|an|auf|bei) \w+"
_MOVED: Final = rf"{_FEW} nach (?!hause\b)\w+ (?:um|zurück)?gezogen"
_DIED: Final = rf"ist{_FEW} (?:gestorben|verstorben|tot)"
_WHOM: Final = rf"(?:{_MY}|(?:dem |der |den )?{_WHO})"

GERMAN: Final = Language(
    name="German",
    relations=RelationWords(
        i="[Ii]ch",
        my="mein|meine|meiner|meinem|meinen|meines|unser|unsere|unserer|unseres",
        is_called=r"(?:,|\s+(?:ist|heißt|heisst|war))?",
        kin={
            "wife": "Frau|Ehefrau",
            "husband": "Mann|Ehemann",
            "partner": "Partner|Partnerin|Verlobte|Verlobter",
            "mother": "Mutter|Mama|Mutti",
            "father": "Vaters?|Papa|Vati",
            "sister": "Schwester",
            "brother": "Bruders?",
            "daughter": "Tochter",
            "son": "Sohn|Sohne?s",
            "grandmother": "Großmutter|Oma",
            "grandfather": "Großvater|Opa",
            "aunt": "Tante",
            "uncle": "Onkel",
            "cousin": "Cousin|Cousine",
            "niece": "Nichte",
            "nephew": "Neffe",
            "friend": "Freundin|Freund",
            "boss": "Chefin|Chef|Vorgesetzte",
            "colleague": "Kollegin|Kollege",
            "neighbour": "Nachbarin|Nachbar",
            "doctor": "Ärztin|Arzt|Zahnarzt|Zahnärztin",
            "teacher": "Lehrerin|Lehrer",
            "pet": "Hund|Katze|Hündin|Kater",
        },
        works_at=r"(?:arbeite[tn]?|arbeitet) (?:jetzt |nun )?(?:bei|für)",
        lives_in=r"(?:wohn(?:e|t|en)|leb(?:e|t|en)) (?:jetzt |nun )?in",
        own_home=(
            r"(?:[Ii]ch bin"
            r"|[Ww]ir sind)(?=[^.]*\b(?:um)?gezogen)(?: \w+)?(?: von(?: [\w-]+){1,3})? nach"
            r"|[Ii]ch zog (?:von (?:[\w-]+ ){1,3})?nach"
        ),
        located_in=r"(?:sitzt in|ist in|hat (?:seinen|ihren) (?:Haupt)?[Ss]itz in)",
        married=Marriage(
            signs="verheiratet|geheiratet|heiratete",
            between=(
                r"(?:(?:ist|bin)(?=[^.]*\bverheiratet)(?: \w+){0,2}? mit"
                r"|(?:hat|habe)(?=[^.]*\bgeheiratet)|heiratete)"
            ),
            own=r"[Bb]in(?: \w+)? verheiratet mit",
            and_="und",
            are=r"sind(?: \w+)? verheiratet|haben(?: \w+)? geheiratet",
        ),
        over=RelationEnds(
            signs=(
                r"arbeiteten?|gearbeitet|wohnten?|lebten?|gewohnt|gelebt|getrennt|geschieden"
                r"|trennten uns|single|gekündigt|entlassen|gefeuert|arbeitslos|pensioniert"
                r"|in Rente|verloren|aufgegeben"
                r"|(?:wohn(?:e|t|en)|leb(?:e|t|en)|arbeite[tn]?) nicht"
            ),
            worked_at=(
                r"(?:arbeiteten? (?:früher |damals )?(?:bei|für)|(?:habe|hat"
                r"|haben)(?=[^.]*\bgearbeitet)(?: \w+)? (?:bei|für))"
            ),
            lived_in=(
                r"(?:(?:wohnte|lebte)n? (?:früher |damals )?in|(?:habe|hat"
                r"|haben)(?=[^.]*\b(?:gewohnt|gelebt))(?: \w+)? in)"
            ),
            former=r"\b(?:[Ee]x-?(?=<kin>)|(?:ehemalige|frühere)[rnms]? )",
            parted=(
                r"[Ww]ir (?:haben|sind)(?: \w+){0,4} (?:getrennt|geschieden)|(?:hab"
                r"|habe) (?:ich )?mich(?: \w+){0,4} getrennt|[Ww]ir trennten uns"
                r"|[Ii]ch bin (?:jetzt |nun |wieder )?(?:geschieden|[Ss]ingle)"
            ),
            jobless=(
                r"(?:(?:wurde|bin|ist) (?:\w+ )?(?:gekündigt|entlassen|gefeuert|arbeitslos"
                r"|pensioniert|in Rente)|(?:habe|hat)(?: \w+){0,3} (?:Job|Stelle"
                r"|Arbeit) (?:gekündigt|verloren|aufgegeben)|ging in Rente)"
            ),
            own_jobless=r"[Mm]ir wurde (?:\w+ )?gekündigt",
        ),
    ),
    speaker=(r"ich|mein(?:e|er|em|en|es)?|wir|unser(?:e|er|em|en|es)?|mir|mich"),
    untold=(
        r"(?:kannst|könntest|würdest|willst|magst|sollst) du"
        r"|(?:können|könnten|würden) sie|bitte|wenn|falls|ob|angenommen|stell dir vor"
        r"|ich (?:denke|glaube|meine|verstehe|weiß nicht|frage|hoffe|vermute)"
        r"|ich (?:möchte|will|würde gern|brauche) (?:wissen|fragen|hilfe|dass|ein beispiel|mehr)"
        r"|mir (?:geht|scheint)|(?:sag|zeig|gib|hilf|erklär|erinner)\w* (?:mir|mich|uns)"
        r"|ich hab\w* eine frage|(?:kann|könnte|soll|darf) ich|lass uns"
    ),
    asides="""
        allerdings also ansonsten apropos außerdem damit dann deshalb ehrlich endlich erstens
        fakt gut inzwischen jedenfalls kurz kurzum leider letztlich na nachtrag nebenbei neu ok
        okay richtig schließlich so stimmt tatsächlich trotzdem übrigens weiterhin weiters
        zuletzt zudem zweitens korrektur genauer ja nein""",
    courtesies=(
        "klar|natürlich|gern|gerne|sicher|kein problem|super|perfekt|prima|glückwunsch"
        "|einen moment|mach ich|"
        "okay|alles klar|verstanden|notiert|in ordnung|danke|danke schön|danke dir|"
        "vielen dank|dankeschön|bitte schön|gern geschehen|hallo|"
        "guten morgen|guten tag|guten abend|gute nacht|tschüss|tschüs|bis später|"
        "bis morgen|bis dann|auf wiedersehen|servus|moin"
    ),
    accents="äöüß",
    unsaid=r"\b(?:im moment|im augenblick|zur zeit|dieser tage|heutzutage)\b",
    small="""
        mache machst macht machen tue tut soll sollte muss müssen kann finde findet gibt wegen
        trotz während meines unseres unserem zurzeit momentan bekomme""",
    shown_by="""
        der die das den dem des ein eine einen einem einer und oder aber ich du er sie es wir ihr
        mich mir dich dir uns euch ihn ihm ist war waren bin bist sind seid habe hast hat haben
        hatte hatten wird werde werden wurde nicht kein keine mit von vom zu zum zur im am auf aus
        bei beim nach seit vor für über unter um an in so was wer wie wo wann warum welche welcher
        welches welchem welchen wem wen wessen wogegen womit wofür wovon worauf worin woran wozu
        wodurch woher wohin mein meine meinen meiner dein sein seine unser auch noch schon nur sehr
        dass weil wenn als hier da dort gestern vorgestern heute übermorgen letzte letzten letztes
        letzter nächste nächsten nächstes nächster dann doch mal alle alles nichts etwas viel bis
        durch gegen ohne""",
    months=each(
        "januar|jänner februar|feber märz|maerz april mai juni juli august september oktober"
        " november dezember"
    ),
    months_short=each("jan feb mär|mrz apr mai jun jul aug sep|sept okt nov dez"),
    weekdays=each("montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag"),
    units={
        "day": "tag|tage|tagen",
        "week": "woche|wochen",
        "month": "monat|monate|monaten",
        "year": "jahr|jahre|jahren",
    },
    spans={"week": "woche", "weekend": "wochenende", "month": "monat", "year": "jahr"},
    numbers={
        2: "zwei",
        3: "drei|paar",
        4: "vier",
        5: "fünf",
        6: "sechs",
        7: "sieben",
        8: "acht",
        9: "neun",
        10: "zehn",
        11: "elf",
        12: "zwölf",
    },
    ones="ein|eine|einem|einen|einer",
    half="halben|halbes",
    days={0: "heute", -1: "gestern", -2: "vorgestern"},
    # The morning has the same name as tomorrow.
    told_days={
        1: (
            r"(?<!heute )(?<!gestern )(?<!am )(?<!guten )(?<!jeden )(?<!den )(?<!der )(?<!dem )"
            r"(?<!einem )(?<!diesen )(?<!nächsten )(?<!tag )(?<!mittwoch )morgen(?! des\b)(?![!,-])"
        ),
        2: "übermorgen",
    },
    ago=(r"vor (?:ein(?:e[mnr]?)? )?<long>",),
    within=(r"in (?:ein(?:e[mnr]?)? )?<long>",),
    lately=(r"(?:letzt|vergangen)e[nr]? <several> <unit>",),
    last=(r"(?:letzt|vergangen|vorig)e[mnrs]? <span>",),
    this=(r"diese[mnrs]? <stretch>",),
    next=(r"(?:nächst|kommend)e[mnrs]? <span>",),
    weekday_last=(r"<weekday> (?:letzter|vergangener|voriger) woche",),
    weekday_next=(r"<weekday> (?:nächster|kommender) woche",),
    dates=(
        r"<day>\.? <mon>\.?,? <year>",
        r"<day>\. ?<number>\. ?<year>",
        r"<day>\. ?<month>",
        r"<month>,? <year>",
        r"(?:im|in|seit|ab|anfang|mitte|ende) <month>",
    ),
    left_alone=(
        r"(?:bis|vor) (?:zum |zur |spätestens )?"
        r"(?:(?:letzt|nächst|kommend|vergangen|vorig)\w* \w+|übermorgen|morgen|gestern|heute)"
    ),
    tells_past=(
        r"war|waren|hatte|hatten|wurde|wurden|ging|gingen|kam|kamen|schrieb|machte"
        r"|(?:habe|hast|hat|haben|bin|ist|sind)\b[^.!?]*\bge\w{2,}(?:t|en)"
    ),
    asks_of_then=(
        r"war|waren|hatte|hatten|wurde|wurden|früher\w*|vorher|zuvor|damals|davor|einst|zuerst"
        r"|ursprünglich|ehemalig\w*|vorherig\w*|bisherig\w*"
    ),
    tells_change=(
        r"jetzt|nun|ab sofort|ab heute|künftig|inzwischen|mittlerweile|neue[mnrs]?|nicht mehr"
        r"|kein\w* [^.!?]*mehr|nur noch|sondern|statt|stattdessen|doch nicht|umgezogen|gezogen"
        r"|planänderung|umentschieden|verlegt|verschoben|geändert|gewechselt|umgestellt|ersetzt|gekündigt|verkauft"
        r"|vorgezogen|umgestiegen|storniert|gestrichen|übernommen|angefangen|eingetauscht"
        r"|doch|neuerdings|seit (?:kurzem|neuestem|neuem)|jetzige[mnrs]?"
        r"|gestorben|verstorben|getrennt|geschieden|abgesagt|abgesetzt|erhöht|gesenkt"
        r"|zurückgenommen|widerrufen|angehoben|gestiegen|gesunken|befördert|aufgehört|in rente"
    ),
    ends=(
        "statt|anstatt|anstelle|nicht(?: mehr)?(?: (?:bei|in|im|mit))?|keine?[mnrs]?|weg von"
        "|raus aus|schluss mit|ohne|nie(?:mals)?|kündigte|verkaufte|verließ|umgestiegen von"
        "|fertig mit|genug von|(?:hatte|habe) \\w+ satt"
    ),
    joins="und|aber|für|gegen|sondern",
    words_before=3,  # the verb may stand behind all that it ends
    is_over=(
        "gekündigt|verkauft|abgesagt|aufgegeben|abgebrochen|abgeschafft|beendet|verlassen"
        "|getrennt|geschieden"
        "|gestorben|verstorben|in rente|im ruhestand|pensioniert|aufgehört|ersetzt|eingetauscht"
        "|(?:\\w+ (?:ich|wir) )?nicht mehr"
        "|abgesetzt|weggegeben|verschenkt|zurückgegeben|storniert|gestrichen|abgemeldet|satt"
        "|gewechselt|getauscht|geschlossen|ausgefallen|eingeschläfert|entlaufen|verloren"
        "|weggelaufen|weggeflogen|ausgerissen|abgehauen|verschwunden|umbenannt|heißt (?:jetzt|nun)"
        "|(?:ist|sind) (?:wieder |doch )?(?:in ordnung|okay|kein problem|unbedenklich|erlaubt)"
        "|(?:ist|sind|war|waren) (?:weg|vorbei|geschichte|zu|tot|aus|zu \\w+)"
    ),
    looks_ahead=(
        r"werde|wirst|wird|werden|plane|planen|bald|(?:nächst|kommend)\w*"
        r"|ab (?:(?:anfang|mitte|ende) )?<month>(?![^.!?;]*\b(?:war|hatte|wurde)\w*)"
    ),
    plans=(
        r"(?:will|wollen|möchte|möchten|plane|planen|überlege|überlegen|habe[n]? vor|werde|werden"
        r"|hole|holen|kaufe|kaufen|bekomme|bekommen|adoptiere|adoptieren)"
    ),
    asks_plans=(
        r"(?:will|wollen|möchte|möchten|plane|planen|pläne|werde|werden|vorhaben|vor"
        r"|(?:hole|kaufe|bekomme|adoptiere)n? (?:ich|wir))"
    ),
    # "Der Flug ist am 15. Mai", but not "ist am 15. Mai gestorben".
    announces=(
        rf"(?:{_GOES})\b(?:(?!\b(?:seit|vom|von)\b)[^.!?;]){{0,40}}"
        rf" (?:am|bis|bis zum)(?: \w+tag,?(?: den| dem)?)? #{_NOT_OVER}"
        rf"|^am(?: \w+tag,?(?: den| dem)?)? # (?:{_GOES})\b{_NOT_OVER}"
        r"|auf(?: \w+tag,?)?(?: den)? #(?: um [\d:.]+(?: uhr)?)?"
        r" (?:verschoben|verlegt|vertagt|vorgezogen|gelegt)"
        r"|(?:gebucht|reserviert|geplant|angesetzt) für(?: \w+tag,?)?(?: den)? #"
        r"|für(?: \w+tag,?)?(?: den)? # [^.!?;]{0,30}(?:gebucht|reserviert|geplant|angesetzt)"
        r"|ab(?: dem)? #"
    ),
    begins=(
        r"ab (?:(?:dem|anfang|mitte|ende) )?"
        r"(?:(?:\d{1,2}\. ?)?<month>|morgen|übermorgen|nächst\w+)"
    ),
    states_have=(
        "wohn|wo lebe|gezogen|arbeit|angefangen|storben| tot|wie geht|lebt|adresse|anschrift"
        "|gekündigt|verloren| rente|zuhause|haus|leben|lebe|bleibe| job|betrieb|firma|stelle"
        "|angestellt|beschäftigt|begonnen|gestiegen|schrieben|gewechselt|bin ich bei|gestellt"
        "|bin jetzt bei|bin nun bei|bin inzwischen bei"
    ),
    states={
        "home": (
            rf"(?:(?:ich|wir) (?:wohne|wohnen)|(?:wohne|wohnen) (?:ich|wir)){_FEW} {_IN}"
            rf"|(?:ich|wir) (?:bin|sind){_MOVED}|(?:bin|sind) (?:ich|wir){_MOVED}"
            r"|(?:meine|unsere) (?:neue |aktuelle )?(?:adresse|anschrift) (?:ist|lautet)"
            r"|(?:meine|unsere) (?:neue )?(?:wohnung|bleibe) (?:ist|liegt)(?: jetzt| nun)? in \w+"
            r"|(?:mein|unser) (?:neues )?(?:haus|zuhause) (?:ist|steht|liegt)(?: jetzt)? in \w+"
            r"|(?:ich|wir) lebe?n?(?: \w+)? in (?!angst|frieden|sorge|scheidung|trennung)\w+"
            r"|zuhause ist (?:für mich |jetzt |nun )*(?:in )?\w+"
            r"|(?:ich|wir) (?:bin|sind) in \w+ (?:daheim|zuhause)"
            r"|miete (?:ich )?(?:eine )?\w* ?in \w+"
            r"|(?:jetzt|nun) leben wir in \w+",
            rf"{_MY} (?:wohnt{_FEW} {_IN}|ist{_MOVED})",
            rf"{_WHO} (?:wohnt{_FEW} {_IN}|ist{_MOVED})",
        ),
        "work": (
            rf"(?:ich arbeite|arbeite ich){_FEW} bei (?!licht|nacht|tag|regen|der|dem)\w+"
            rf"|(?:ich (?:bin|habe)|(?:bin|habe) ich){_FEW} bei \w+(?: \w+)?"
            r" (?:angefangen|begonnen|eingestiegen|unterschrieben|angestellt|beschäftigt)"
            rf"|(?:ich bin|bin ich){_FEW} (?:zu|zur|zum) \w+(?: \w+)? gewechselt"
            r"|(?:ich bin (?:jetzt|nun|inzwischen)|(?:jetzt|nun|inzwischen) bin ich)"
            r" bei (?!de[rmn]|dir|euch|mir|uns|ih[mr])\w+|\w+ hat mich eingestellt"
            r"|mein (?:neuer |jetziger |aktueller )?(?:job|arbeitgeber|betrieb) ist"
            r"|meine (?:neue |jetzige )?(?:firma|stelle) (?:ist|heißt)"
            r"|ich bin (?:jetzt |nun )?(?:arbeitslos|in rente)"
            rf"|ich habe{_FEW} (?:meinen job|meine stelle)(?: bei \w+)? (?:gekündigt|verloren)",
            rf"{_MY} arbeitet{_FEW} bei \w+",
            rf"{_WHO} arbeitet{_FEW} bei \w+",
        ),
        "death": (rf"{_MY} {_DIED}", rf"{_WHO} {_DIED}"),
    },
    long_ago=r"als (?:kind|baby|student\w*|ich|wir)|damals|früher",
    asks_states={
        "home": (
            r"wo (?:wohne|wohnen|lebe|leben) (?:ich|wir)"
            r"|in welche[mnr] \w+ (?:wohne|wohnen|lebe|leben) (?:ich|wir)"
            r"|wo (?:ich|wir) (?:wohne|lebe)n?"
            r"|wo (?:ist|liegt) (?:meine wohnung|mein zuhause)"
            r"|(?:wie|was) (?:ist|lautet) (?:meine|unsere) (?:neue |aktuelle )?"
            r"(?:adresse|anschrift)",
            rf"wo (?:wohnt|lebt) {_WHOM}",
        ),
        "work": (
            r"(?:wo|bei wem|für wen) arbeite ich|wo ich arbeite|bei welcher firma bin ich"
            r"|wer ist mein (?:neuer )?arbeitgeber"
            r"|(?:bei|für) welche[mnrs]? \w+ arbeite ich|wie heißt mein(?:e firma| arbeitgeber)",
            rf"wo arbeitet {_WHOM}",
        ),
        "death": (rf"wie geht(?: es|s| s)? {_WHOM}", rf"lebt {_WHOM} noch"),
    },
    negations="nicht kein keine keinen keiner nie niemals ohne nichts",
    subjects=(
        "wohne wohnt wohnen wohnung wohnort zuhause daheim "
        "lebe lebt leben stadt miete adresse umzug",
        "arbeite arbeitet arbeit arbeitgeber firma "
        "stelle job betrieb verdiene eingestellt angestellt",
        "chef chefin vorgesetzte vorgesetzter teamleiter teamleiterin leiter leitet team",
        "hund hündin welpe terrier tierheim",
        "allergie allergien allergisch reagiere verträgt vertrage",
        "trinke trinken trinkt getränk lieblingsgetränk durst",
        "auto wagen automarke familienauto fahre",
        "beruf arbeitet arbeit tätig gelernter gelernte kumpel",
    ),
    state_synonyms=(
        (
            "arbeite arbeitest arbeitet arbeitgeber firma",
            "gekündigt kündigung angefangen fange stelle arbeitgeber arbeite firma",
        ),
        ("chef chefin vorgesetzte", "chef chefin vorgesetzte vorgesetzter leiter leiterin"),
        ("hund hündin", "hund hündin welpe hundes"),
        ("lieblingsgetränk trinke getränk", "lieblingsgetränk trinke getränk lieber"),
        ("allergisch allergie", "allergisch allergie allergien vertrage"),
        ("termin zahnarzt", "termin verschoben abgesagt verlegt"),
        ("auto wagen", "verkauft gekauft geleast"),
        ("freund freundin partner partnerin verheiratet zusammen", "getrennt geschieden verlobt"),
        ("wohne wohnst wohnt wohnen wohnort zuhause", "umgezogen gezogen umzug adresse anschrift"),
    ),
    asks_amount=(
        "wie ?(?:viele?[mnrs]?|alt|groß|lang|weit|schwer|hoch|teuer|schnell|oft)"
        "|welche[mnrs]? [^.!?]*?"
        "(?:nummer|größe|preis|code|pin|miete|gehalt|dosis|gewicht|höhe|stock|etage|version)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:seit|bis|ab|von) )?(?:wann|wie lange"
        r"|wie viele? (?:tage|wochen|monate|jahre|stunden|zeit)"
        r"|(?:(?:in|an|zu|um|seit) )?welche[mnrs]? (?:tag|datum|monat|jahr|woche|uhrzeit|zeit))"
    ),
    other_times=(
        "vorhin|neulich|kürzlich|seit|stunde|stunden|minute|minuten|morgens|vormittag|mittag"
        "|nachmittag|abend|abends|nacht|frühling|sommer|herbst|winter|uhr"
        "|(?:letzt|nächst|vergangen)e[mnrs]?"
    ),
)
