"""French language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.language_table import Language, each
from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

# "Il y a deux jours fériés" counts days and says not when.
_OF_WHAT: Final = "(?:dans|par|de(?! (?:ça|cela))|d|entre|avant|après|qui|fériés)"

# ── States ──
_MY: Final = r"(?:mon|ma) <kin>(?: <name>)?"
_WHO: Final = r"(?!(?:j|je|tu|nous|vous|il|elle|on|qui|ça|cela|ce|et|puis)\b)<who>"
_DIED: Final = r"est (?:\w+ )?(?:morte?|décédée?)"

FRENCH: Final = Language(
    name="French",
    relations=RelationWords(
        i="[Jj]e|[Jj]'",
        my="mon|ma|notre",
        is_called=r"(?:,|\s+(?:est|s['’]appelle))?",
        kin={
            "wife": "femme|épouse",
            "husband": "mari|époux",
            "partner": "compagnon|compagne|copine|copain",
            "mother": "mère|maman",
            "father": "père|papa",
            "sister": "sœur|soeur",
            "brother": "frère",
            "daughter": "fille",
            "son": "fils",
            "grandmother": "grand-mère|mamie",
            "grandfather": "grand-père|papi",
            "aunt": "tante",
            "uncle": "oncle",
            "cousin": "cousine|cousin",
            "friend": "amie|ami",
            "boss": "chef|patron|patronne",
            "colleague": "collègue",
            "neighbour": "voisine|voisin",
            "pet": "chien|chienne|chat|chatte",
        },
        works_at=r"travaill(?:e|es|ent|ons) (?:chez|à|pour)",
        lives_in=r"(?:habit(?:e|ent|ons) à|vi(?:s|t|vent|vons) à)",
        own_work=r"[Jj][e'’]\s?travaille (?:chez|à|pour)",
        own_home=(
            r"[Jj]['’]habite à|[Nn]ous habitons à|[Jj]['’]ai (?:déménagé"
            r"|emménagé) (?:d(?:e |['’])(?:[\w-]+ ){1,3})?à"
            r"|[Nn]ous avons (?:déménagé|emménagé) (?:d(?:e "
            r"|['’])(?:[\w-]+ ){1,3})?à|[Jj]e me suis installée? à"
        ),
        located_in=r"(?:est (?:basée?|située?) à|a son siège à|se trouve à)",
        married=Marriage(
            signs="mariée?s?|épousé|épousa",
            between=(
                r"(?:(?:est|suis) (?:\w+ )?mariée? (?:à|avec)"
                r"|a épousé|épousa|s['’]est mariée? avec)"
            ),
            own="[Jj]['’]ai épousé|[Jj]e me suis mariée? avec",
            and_="et",
            are="(?:sont|se sont) mariée?s",
        ),
        over=RelationEnds(
            signs=(
                r"(?:j['’])?(?:travaill|habit|viv)(?:ais|ait|aient)|travaillé|habité|vécu"
                r"|séparée?s?|divorcée?|rompu|célibataire|démissionné|retraite|licenciée?|virée?"
                r"|perdu|quitté|chômage"
                r"|(?:habit(?:e|ent|ons)|vi(?:s|t|vent|vons)|travaill(?:e|es|ent|ons)) plus"
            ),
            worked_at=r"(?:travaill(?:ais|ait|aient)|(?:ai|a|ont|avons) travaillé) (?:chez|à|pour)",
            lived_in=r"(?:(?:habit|viv)(?:ais|ait|aient) à|(?:ai|a|ont|avons) (?:habité|vécu) à)",
            own_worked=r"[Jj][e'’]\s?(?:travaillais|ai travaillé) (?:chez|à|pour)",
            own_lived=r"[Jj][e'’]\s?(?:habitais|vivais|ai (?:habité|vécu)) à",
            former=r"\b(?:ex-? ?(?=<kin>)|ancien(?:ne)? )",
            parted=(
                r"[Nn]ous (?:nous sommes|avons) (?:\w+ )?(?:séparée?s|divorcé|rompu)"
                r"|[Oo]n (?:s['’]est séparés?|a rompu|a divorcé)|[Jj]['’]ai (?:rompu|divorcé)"
                r"|[Jj]e me suis séparée?|[Jj]e suis (?:divorcée?|célibataire)"
            ),
            jobless=(
                r"(?:a (?:démissionné|pris sa retraite|été (?:licenciée?|virée?)"
                r"|perdu son (?:emploi|travail|poste))|est (?:au chômage|à la retraite))"
            ),
            own_jobless=(
                r"[Jj]['’]ai (?:démissionné|pris ma retraite|été (?:licenciée?|virée?)|(?:perdu"
                r"|quitté) mon (?:emploi|travail|poste))|[Jj]e suis (?:au chômage|à la retraite)"
            ),
        ),
    ),
    speaker=(r"je|j|mon|ma|mes|nous|notre|nos|moi|me|m|on"),
    untold=(
        r"(?:peux|pourrais|veux|voudrais)(?: |-)tu|(?:pouvez|pourriez|voulez)(?: |-)vous"
        r"|s il (?:te|vous) plaît|si|supposons|imagine"
        r"|je (?:pense|crois|suppose|comprends|ne sais pas|me demande|vois|voudrais savoir"
        r"|voudrais que)"
        r"|j espère|j ai (?:une|besoin d aide)(?: question)?"
        r"|(?:dis|dites|montre|montrez|donne|donnez|aide|aidez|explique|expliquez|rappelle)(?: "
        r"|-)(?:moi|nous)"
        r"|puis(?: |-)je"
    ),
    asides="""
        ah alors aussi bref correction d'ailleurs donc enfin ensuite finalement malheureusement
        non ok oui pardon précision puis sinon surtout tiens""",
    courtesies=(
        "bien sûr|pas de problème|parfait|super|félicitations|un instant|avec plaisir|"
        "d accord|compris|entendu|c est noté|noté|merci|merci beaucoup|de rien|"
        "je vous en prie|bonjour|bonsoir|salut|coucou|bonne nuit|bonne journée|au revoir|"
        "à bientôt|à demain"
    ),
    accents="àâæçèéêëîïôœùûü",
    unsaid=r"\b(?:en ce moment|ces jours[ -]ci|de nos jours|pour l instant|pour l'instant)\b",
    small="""
        dois doit faut trouver fais fait font avons aller sont""",
    shown_by="""
        le la les un une des du de d l au aux et ou mais je j tu il elle on nous vous ils elles me
        m te t se s lui leur y en est es suis sommes êtes sont était étais étaient ai as a avons
        avez ont avait avais été être avoir ne n pas plus que qu qui quoi où quand comment pourquoi
        combien quel quelle quels quelles ce c cet cette ces mon ma mes ton ta tes son sa ses notre
        nos votre vos leurs dans sur sous avec sans pour par chez vers depuis pendant très aussi
        hier avant aujourd hui demain dernier dernière si vais va vont ici là tout tous rien
        beaucoup entre ça cela prochain prochaine""",
    months=each(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    ),
    months_short=each("janv févr|fév mars avr mai juin juil août sept oct nov déc"),
    weekdays=each("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    units={
        "day": "jour|jours",
        "week": "semaine|semaines",
        "month": "mois",
        "year": "an|ans|année|années",
    },
    spans={"week": "semaine", "weekend": "week-end|weekend", "month": "mois", "year": "an|année"},
    numbers={
        2: "deux",
        3: "trois|quelques",
        4: "quatre",
        5: "cinq",
        6: "six",
        7: "sept",
        8: "huit",
        9: "neuf",
        10: "dix",
        11: "onze",
        12: "douze",
    },
    ones="un|une",
    monthdays={1: "premier"},
    ordinal="(?:er)?",
    days={0: "aujourd'hui", -1: "hier", -2: r"avant[ -]hier"},
    told_days={1: "demain", 2: r"après[ -]demain"},
    ago=(rf"y a (?:environ |à peu près )?<long>(?! {_OF_WHAT}\b)",),
    from_now=(r"dans <long>",),
    lately=(r"(?:ces|les|des) <several> derni(?:er|ère)s <unit>",),
    last=(r"<span> (?:derni(?:er|ère)|passée?)",),
    this=(r"(?:cette|cet|ce) <stretch>",),
    next=(r"<span> (?:prochaine?|qui vient)",),
    weekday_last=(r"<weekday> de la semaine (?:dernière|passée)",),
    weekday_next=(r"<weekday> de la semaine (?:prochaine|qui vient)",),
    dates=(
        r"<day> <mon>\.? <year>",
        r"<day>/<number>/<year>",
        r"<day> <month>",
        r"<month> <year>",
        r"(?:en|depuis|dès|début|fin|mois de|mois d) <month>",
    ),
    left_alone=(
        r"(?:jusqu'(?:à|au|en)|d'ici|avant|à) (?:la |le |l )?"
        r"(?:demain|\w+ (?:prochaine?|derni(?:er|ère)|qui vient))"
        rf"|y a <long> {_OF_WHAT}"
    ),
    asks_of_then=(
        "étai(?:s|t|ent)|avai(?:s|t|ent)|avant|auparavant|autrefois|ancienne?s?|initialement"
        "|d abord|précédente?s?|habitai(?:s|t)|travaillai(?:s|t)|prenai(?:s|t)"
    ),
    tells_change=(
        "maintenant|désormais|dorénavant|nouve(?:au|l|lle|aux|lles)|ne? [^.!?]*plus|à la place"
        "|au lieu|finalement|en fait|en réalité|changement de (?:plan|programme)s?|déménagée?s?"
        "|emménagée?s?|changée?s?|reportée?s?|déplacée?s?"
        "|annulée?s?|quittée?|vendue?s?|morte?|décédée?|séparée?s?|divorcée?s?|remplacée?s?"
        "|augmentée?s?|baissée?s?|arrêtée?s?|pass(?:e|é|ée) à|à partir d"
    ),
    ends=(
        "quitté|fermé|résilié|annulé|vendu|abandonné|arrêté(?: de \\w+)?|au lieu d[eu]?"
        "|plutôt que|plus"
        "|pas|jamais|adieu|rompu avec|divorcé d[eu]?|fini(?: avec)?|marre d[eu]?"
    ),
    joins="et",
    is_over=(
        "est (?:morte?|fermée?|annulée?|partie?|finie?|vendue?|à la retraite|trop \\w+)"
        "|a pris sa retraite"
        "|a démissionné|a fermé|et moi (?:avons rompu|on a rompu|nous sommes séparés)|c est fini"
    ),
    looks_ahead=r"vais|vas|va|allons|allez|vont|prochaine?s?|bientôt|\w+er(?:ai|ons|ez|ont)",
    announces=(
        r"(?:est|sont|c est|a lieu|ont lieu|aura lieu|commence|commencent|part|arrive|finit|termine"
        r"|expire|tombe|rendez-vous|rdv|prévue?s?|fixée?s?|réservée?s?|reportée?s?|avancée?s?"
        r"|repoussée?s?)(?: (?:pour|à|le|au|en|jusqu))*"
        r"(?: (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche),?)?(?: le)? #"
    ),
    begins=r"(?:à partir|dès)(?: de| du| d)?(?: le)? (?:\d|demain|<month>|(?:la|l) \w+ prochaine?)",
    states_have="habit|ménag|travail|chez|est mort|décéd|adresse|démission|comment va|se porte",
    states={
        "home": (
            r"(?:j|nous|on) (?:y )?(?:habite|habitons)(?: \w+){0,2}? (?:à|au|aux|en|dans|sur) \w+"
            r"|(?:j ai|nous avons|on a)(?: \w+)? (?:déménagé|emménagé)(?: \w+)? (?:à|au|aux|en) \w+"
            r"|(?:ma|notre) nouvelle adresse est",
            rf"{_MY} (?:habite(?: \w+)? (?:à|au|en)|a (?:déménagé|emménagé) (?:à|au|en)) \w+",
            rf"{_WHO} (?:habite(?: \w+)? (?:à|au|en)|a (?:déménagé|emménagé) (?:à|au|en)) \w+",
        ),
        "work": (
            r"je travaille(?: \w+){0,3}? chez \w+|j ai commencé(?: \w+){0,4}? chez \w+"
            r"|j ai quitté mon (?:travail|emploi|poste)|j ai démissionné",
            rf"{_MY} travaille(?: \w+){{0,3}}? chez \w+",
            rf"{_WHO} travaille(?: \w+){{0,3}}? chez \w+",
        ),
        "death": (rf"{_MY} {_DIED}", rf"{_WHO} {_DIED}"),
    },
    long_ago=r"quand|lorsque|enfant|autrefois|à l époque",
    asks_states={
        "home": (
            r"où (?:est-ce que )?(?:j habite|nous habitons|on habite)|où habit(?:e-je|ons-nous)"
            r"|quelle est (?:mon|notre) (?:nouvelle )?adresse",
            rf"où (?:est-ce que |est-ce qu )?(?:habite |vit )(?:{_MY}|{_WHO})",
        ),
        "work": (
            r"où (?:est-ce que )?je travaille|pour qui (?:est-ce que )?je travaille"
            r"|chez qui (?:est-ce que )?je travaille|où travaill[ée]-je",
            rf"où travaille (?:{_MY}|{_WHO})",
        ),
        "death": (rf"comment (?:va|se porte) (?:{_MY}|{_WHO})",),
    },
    negations="ne pas jamais sans aucun aucune rien",
    state_synonyms=(
        ("travaille travailles travaillez", "quitté démissionné embauché embauchée"),
        ("voiture", "vendu acheté"),
        ("habite habites habitez habitons", "déménagé emménagé adresse"),
    ),
    asks_amount=(
        "combien|quel(?:le)? (?:âge|numéro|taille|prix|code|dose|poids|hauteur|étage|version|loyer)"
    ),
    asks_when=(
        r"^[^\w]*(?:(?:depuis|jusqu'à|pour|pendant|à partir de|dès|vers) )?(?:quand|c'est quand"
        r"|combien de (?:temps|jours|semaines|mois|années|ans|heures)"
        r"|(?:(?:en|à|le|dans) )?quel(?:le)?s? (?:jour|date|mois|année|semaine|heure))"
    ),
    other_times=(
        "matin|soir|soirée|nuit|après-midi|heure|heures|minute|minutes|récemment|depuis|printemps"
        "|automne|hiver|derni(?:er|ère)|prochaine?"
    ),
)
