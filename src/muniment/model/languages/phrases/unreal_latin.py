"""Unreal words of the languages in Latin letters: English to Dutch."""

from typing import Final

from muniment.model.languages.phrases.unreal_rows import UnrealWords

_MARK: Final = r"[,\"”“»’']\s*"
_OPENED: Final = r"\s*(?:[:,]\s*)?[\"“„«]"

_ENGLISH_SAID: Final = (
    r"(?:said|says|wrote|writes|replied|replies|answered|joked|explained|claimed|claims|shouted"
    r"|whispered|added|told (?:me|us))"
)
ENGLISH: Final = UnrealWords(
    near=(
        r"\b(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bin )(?<!\bis )(?<!\bare )(?<!\bam )(?<!['’ ]s )"
        r"(?<!['’ ]m )(?:almost|nearly)(?: (?:just|once|also))? (?!(?:\w+ly|need|need(?:ed)|red)\b)"
        r"(?:\w{2,}ed|got|took|went|left|bought|quit|ran|came|became|began|ended up|chose|sold|gave"
        r"|lost|made|built|moving|starting|joining)\b"
        r"|\b(?:would|could|should|might)(?:n['’ ]?t| not)?(?: \w+ly)? have\b"
        r"|\b(?:would|could|might|may)(?: (?:still|also|even|well|now|rather|\w+ly))? "
        r"(?:live|work|move|reside|be living|be working)\b"
        r"|\b(?:i|we|he|she|they|you)['’ ]d(?: (?:rather|\w+ly))? "
        r"(?:live|work|reside|be living|be working)\b"
        r"|\b(?:maybe|perhaps)\b|\b(?:came|come|was|were|got)(?: \w+)? close to\b"
    ),
    forward=(
        r"\b(?:dreamt|dreamed|dreaming)\b(?! (?:of|about) (?!living|working|moving|me\b|us\b))"
        r"|\bdreams? (?:that )?(?=i\b|we\b)|\bhad (?:an?|this|that|the same) (?:\w+ )?"
        r"(?:dream|nightmare)\b|\bwish(?:es|ed)?(?= (?:that )?(?:i|we|he|she|they|my)\b)"
        r"|\bif only\b|\bimagin(?:e|es|ed|ing)(?=,? (?:that )?(?:i|we|my)\b)"
        r"|\bpretend(?:s|ed|ing)?(?=,? (?:that )?(?:i|we|my|to)\b)"
        r"|\blet['’ ]?s (?:say|pretend|assume|suppose|imagine)\b|\bhypothetically\b|\bwhat if\b"
        r"|\b(?:suppose|supposing|assuming)(?=,? (?:that )?(?:i|we|my)\b)|\bas (?:if|though)\b"
    ),
    around=(
        r"\bin (?:(?:an?|my|our|his|her|your|the|this|that|one)(?: \w+){0,2}? )?"
        r"(?:dreams?|nightmares?|novels?|stor(?:y|ies)|books?|films?|movies?|games?|comics?"
        r"|fairy ?tales?|role-?plays?|simulations?|screenplay|script|play|series)\b"
        r"(?! (?:industry|business|department|team|studios?|company|sector|shop|store|trade|school"
        r"|room|design|development|publishing|section|division|club|production|theory))"
    ),
    quoted=(
        rf"{_MARK}{_ENGLISH_SAID}\b(?= (?!i\b|we\b)\w)"
        rf"|{_MARK}(?:the|my|our|his|her|an?) \w+(?: \w+)? {_ENGLISH_SAID}\W*$"
        rf"|{_MARK}(?:he|she|they) {_ENGLISH_SAID}\W*$"
        rf"|(?<!\bi )(?<!\bwe )\b{_ENGLISH_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:moved|relocated|went|started|joined)\b[^.;!?]{1,40}?(?:\b(?:and|but|then)\b|,)"
        r"[^.;!?]{0,30}?\b(?:came|moved|went)(?: (?:right|straight|all the way))? (?:back|home)\b"
        r"(?! to (?:school|work|university|college|uni|bed|sleep|normal|life))"
        r"|\b(?:moved|relocated)\b[^.;!?]{1,40}?\b(?:and|but) (?:soon |then |quickly )?returned\b"
    ),
    turns=(
        r"\b(?:but|however|though|instead|in reality|in fact|actually|in real life)\b"
        r"|(?:\band|\bso|,) (?:now|today|then|finally)\b"
    ),
    breaks=r"\b(?:because|since|when|while|until)\b|\band(?= $| (?:i|we|my|now|in)\b)",
)
_GERMAN_SAID: Final = (
    r"(?:sagte|sagt|meinte|meint|schrieb|schreibt|antwortete|erzählte|erz[äa]hlt|rief|behauptete)"
)
GERMAN: Final = UnrealWords(
    near=(
        r"\bbeinahe?\b(?! (?:\d|ein\w*|zwei|drei|zehn|zwanzig|immer|jede\w*|alle\w*|t[äa]glich"
        r"|ausschlie\w+|nur|ganz\w*|nie|halb\w*))"
        r"|\b(?:bin|ist|sind|habe?|hat|haben)(?: \w+){0,3}? fast\b"
        r"(?! (?:\d|ein\w*|zwei|drei|zehn|zwanzig|immer|jede\w*|alle\w*|t[äa]glich|ausschlie\w+|nur"
        r"|ganz\w*|nie|halb\w*|so))|^fast (?:bin|habe|w[äa]re|h[äa]tte)\b"
        r"|\bum ein haar\b|\bvielleicht\b|\bkurz davor\b"
        r"|\b(?:w[üu]rde|w[äa]re|h[äa]tte|k[öo]nnte)(?:n|st)?\b"
    ),
    forward=(
        r"\b(?:getr[äa]umt|tr[äa]umte)\b(?! von\b)"
        r"|\b(?:w[üu]nsch(?:t?e|en))(?=,? )|\bstell\w* dir vor"
        r"|\bstellen wir uns vor|\bangenommen\b|\bnehmen wir an\b|\bals ob\b|\bgesetzt den fall\b"
        r"|\btr[äa]um(?:e|en)?(?=,? dass)|\bwenn ich (?:doch|nur)\b"
    ),
    around=(
        r"\b(?:im traum|in (?:\w+ )?tr[äa]umen|in (?:de[rmn]"
        r"|einer|einem|meine[mr]|unsere[mr]|diese[mr])"
        r"(?: \w+)? ?(?:traum|roman|geschichte|buch|film|(?:video|rollen|computer|brett)?spiel"
        r"|m[äa]rchen|comic|drehbuch|st[üu]ck|serie"
        r"|simulation)|im (?:roman|buch|film|spiel|rollenspiel"
        r"|videospiel|computerspiel|m[äa]rchen|comic|drehbuch))\b"
    ),
    quoted=(
        rf"{_MARK}{_GERMAN_SAID}\b(?= (?!ich\b|wir\b)\w)"
        rf"|(?<!\bich )(?<!\bwir )\b{_GERMAN_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:bin|ist|sind|zog|zogen)\b[^.;!?]{1,50}?\b(?:und|aber|dann)\b[^.;!?]{0,40}?"
        r"\b(?:zur[üu]ckgekommen|zur[üu]ckgekehrt"
        r"|zur[üu]ckgezogen|wieder zur[üu]ck|kamen? zur[üu]ck)\b"
    ),
    turns=(
        r"\b(?:aber|sondern|tats[äa]chlich|in wirklichkeit|in echt|stattdessen)\b"
        r"|\bund (?:jetzt|nun|heute|dann)\b"
    ),
    breaks=r"\b(?:weil|seit|w[äa]hrend|bis)\b|\bund(?= $| (?:ich|wir|in|im|jetzt|nun)\b)",
)
_FRENCH_SAID: Final = (
    r"(?:dit|disait|a dit|r[ée]pond|r[ée]pondit|[ée]crit|affirme|raconte|expliquait)"
)
FRENCH: Final = UnrealWords(
    near=(
        r"\bpresque (?=\w{2,}(?:[ée]e?s?|i|it|u)\b)"
        r"|\bpeut-[êe]tre\b|\b(?:ai|a|avons|avez|ont) failli\b"
        r"|\b[àa] deux doigts\b|\bsur le point\b"
    ),
    forward=(
        r"\br[êe]v(?:[ée]|ais|ait)(?=,? (?:que|qu['’ ]))"
        r"|\bsi seulement\b|\bimagin(?:e|ons|ez) que\b"
        r"|\bsuppos(?:e|ons|ez) que\b|\bcomme si\b|\bj['’ ]aimerais que\b|\bdisons que\b"
        r"|\bau cas o[ùu]\b|\bet si\b"
    ),
    around=(
        r"\b(?:en r[êe]ve|dans (?:un|une|mon|ma|mes|le|la|l['’ ]|les|ce|cette|notre)(?: \w+)? ?"
        r"(?:r[êe]ves?|cauchemar|roman|histoire|livre|film|jeu|conte|bande dessin[ée]e|sc[ée]nario"
        r"|pi[èe]ce|s[ée]rie|simulation))\b"
    ),
    quoted=(
        rf"{_MARK}(?:a )?{_FRENCH_SAID}\b(?=(?:-t-| )(?!je\b|j\b)\w)"
        rf"|(?<!\bj['’ ]ai )\b{_FRENCH_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:d[ée]m[ée]nag[ée]|emm[ée]nag[ée]|install[ée]e?)\b[^.;!?]{1,40}?\b(?:et|mais|puis)\b"
        r"[^.;!?]{0,30}?\b(?:revenue?s?|rentr[ée]e?s?|retourn[ée]e?s?)\b"
    ),
    turns=(
        r"\b(?:mais|pourtant|en r[ée]alit[ée]|en fait|en vrai)\b"
        r"|\bet (?:maintenant|aujourd|puis|depuis)\b"
    ),
    breaks=(
        r"\b(?:parce que|depuis que|quand|lorsque)\b"
        r"|\bet(?= $| (?:j['’ ]|je|nous|dans|maintenant)\b)"
    ),
)
_SPANISH_SAID: Final = (
    r"(?:dijo|dice|dec[íi]a|respondi[óo]|contest[óo]|escribi[óo]|cont[óo]|afirm[óo]|coment[óo])"
)
SPANISH: Final = UnrealWords(
    near=(
        r"\b(?:casi|por poco)\b(?! (?:siempre|tod[oa]s?|nunca|cada|un[oa]?s?|dos|tres|diez|veinte"
        r"|exclusiv\w+|solo|s[óo]lo|diari\w+|medi[oa]|\d))(?<!\bhace casi)(?<!\bdesde casi)"
        r"|\b(?:quiz[áa]s?|tal vez|a lo mejor|a punto de)\b"
    ),
    forward=(
        r"\bso[ñn](?:[ée]|aba|amos|ado)(?= (?:con )?que)|\bojal[áa]\b|\bimagin(?:a|emos|ad|e) que\b"
        r"|\bsup[óo]n(?:gamos)?(?: que)?\b|\bpongamos que\b|\bcomo si\b|\bdigamos que\b"
    ),
    around=(
        r"\ben (?:sue[ñn]os|(?:un|una|mi|mis|el|la|los|las|este|esta|nuestr[oa])(?: \w+)? ?"
        r"(?:sue[ñn]os?|pesadilla|novela|historia|cuento|libro|pel[íi]cula|(?:video)?juego|c[óo]mic"
        r"|guion|gui[óo]n|obra|serie|simulaci[óo]n))\b"
    ),
    quoted=(
        rf"{_MARK}(?:me )?{_SPANISH_SAID}\b(?= (?!yo\b)\w)|\b{_SPANISH_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:mud[ée]|mudado|mudamos|traslad[ée])\b[^.;!?]{1,40}?\b(?:y|pero|luego)\b"
        r"[^.;!?]{0,30}?\b(?:volv[íi]|vuelto|volvimos|regres[ée]|regresamos)\b"
    ),
    turns=r"\b(?:pero|sino|en realidad|en verdad)\b|\by (?:ahora|hoy|luego|desde)\b",
    breaks=r"\b(?:porque|desde que|cuando)\b|\by(?= $| (?:yo|me|vivo|trabajo|en|ahora|nos)\b)",
)
_ITALIAN_SAID: Final = r"(?:disse|dice|diceva|ha detto|rispose|risponde|scrisse|scrive|racconta)"
ITALIAN: Final = UnrealWords(
    near=(
        r"\b(?<!\bda )(?<!\bdi )quasi\b(?! (?:sempre"
        r"|tutt[oaie]|mai|ogni|un[oa]?|due|tre|dieci|venti"
        r"|esclusiv\w+|solo|met[àa]|\d))|\bper poco\b|\bforse\b|\bstav[oa] per\b"
    ),
    forward=(
        r"\b(?:sognato|sognai|sognavo|sogno)(?= (?:di|che))|\bmagari\b|\bimmagin(?:a|iamo|ate) "
        r"(?:che|di)\b|\bsupponi(?:amo)? (?:che|di)\b"
        r"|\bmett(?:i|iamo) che\b|\bcome se\b|\bvorrei che\b"
        r"|\bse solo\b"
    ),
    around=(
        r"\b(?:in sogno|(?:nel|nella|nell['’ ]|nei|in un|in una|in un['’ ])(?: ?(?:mi[oae]|miei"
        r"|nostr[oa]))? ?(?:sogn[oi]|incubo|romanzo|storia|racconto|libro|film|(?:video)?gioco"
        r"|fiaba|fumetto|copione|commedia|serie|simulazione))\b"
    ),
    quoted=(
        rf"{_MARK}(?:mi )?{_ITALIAN_SAID}\b(?= (?!io\b)\w)|\b{_ITALIAN_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:trasferit[oaie])\b[^.;!?]{1,40}?\b(?:e|ed|ma|poi)\b[^.;!?]{0,30}?"
        r"\b(?:tornat[oaie]|rientrat[oaie])\b"
    ),
    turns=r"\b(?:ma|per[òo]|in realt[àa]|invece|davvero)\b|\be (?:ora|adesso|oggi|poi)\b",
    breaks=(
        r"\b(?:perch[ée]|da quando|quando)\b|\be(?= $| (?:io"
        r"|vivo|abito|lavoro|mi|nel|ora|adesso)\b)"
    ),
)
_PORTUGUESE_SAID: Final = r"(?:disse|diz|dizia|respondeu|escreveu|contou|afirmou|comentou)"
PORTUGUESE: Final = UnrealWords(
    near=(
        r"\b(?<!\bh[áa] )quase\b(?! (?:sempre|tod[oa]s?"
        r"|nunca|cada|um|uma|dois|duas|tr[êe]s|dez|vinte"
        r"|exclusiv\w+|s[óo]|mei[oa]|\d))|\bpor pouco\b|\btalvez\b|\bprestes a\b"
    ),
    forward=(
        r"\b(?:sonhei|sonhou|sonhava|sonhado)(?= (?:em )?que)|\b(?:oxal[áa]|quem me dera|tomara)\b"
        r"|\bimagin[ae](?:mos)? que\b|\bsupon(?:ha|hamos|do)(?: que)?\b|\bcomo se\b|\bdigamos que\b"
        r"|\bgostaria que\b"
    ),
    around=(
        r"\b(?:em sonhos?|(?:n[oa]s?|num|numa|em (?:um|uma))(?: (?:meus?|minhas?|noss[oa]))? "
        r"(?:sonhos?|pesadelo|romance|hist[óo]ria|conto|livro|filme|jogo|videojogo"
        r"|banda desenhada|gui[ãa]o|roteiro|pe[çc]a|s[ée]rie|simula[çc][ãa]o))\b"
    ),
    quoted=(
        rf"{_MARK}(?:me )?{_PORTUGUESE_SAID}\b(?= (?!eu\b)\w)"
        rf"|\b{_PORTUGUESE_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:mudei|mud[áa]mo-nos|mudamos)\b[^.;!?]{1,40}?\b(?:e|mas|depois)\b[^.;!?]{0,30}?"
        r"\b(?:voltei|volt[áa]mos|regressei|regress[áa]mos)\b"
    ),
    turns=r"\b(?:mas|por[ée]m|na verdade|na realidade)\b|\be (?:agora|hoje|depois|desde)\b",
    breaks=r"\b(?:porque|desde que|quando)\b|\be(?= $| (?:eu|moro|vivo|trabalho|no|na|agora)\b)",
)
_DUTCH_SAID: Final = r"(?:zei|zegt|schreef|schrijft|antwoordde|vertelde|riep|beweerde)"
DUTCH: Final = UnrealWords(
    near=(
        r"\bbijna\b(?! (?:altijd|alle\w*|elke?|iedere?|nooit|een|twee|drie|tien|twintig|uitsluitend"
        r"|alleen|heel|hele|helemaal|dagelijks|half|halve|\d))|\bop een haar na\b|\bmisschien\b"
        r"|\bzou(?:den)?\b"
    ),
    forward=(
        r"\b(?:gedroomd|droomde|droomden|droom)(?=,? (?:dat|ik|we))|\bik wou\b|\bwas het maar\b"
        r"|\bwenste(?=,? )|\bstel(?: je voor)?(?=,? (?:dat|ik|we))|\balsof\b|\bwoonde ik maar\b"
        r"|\bstel je voor\b|\blaten we zeggen\b"
    ),
    around=(
        r"\bin (?:(?:de|het|een|mijn|onze|ons|deze|dit|die|dat)(?: \w+)? )?(?:droom|dromen"
        r"|nachtmerrie|roman|verhaal|boek|film|(?:video|rollen|computer)?spel|game|sprookje|strip"
        r"|scenario|toneelstuk|serie|simulatie)\b"
    ),
    quoted=(
        rf"{_MARK}{_DUTCH_SAID}\b(?= (?!ik\b|we\b)\w)"
        rf"|(?<!\bik )\b{_DUTCH_SAID}(?:\s*:|{_OPENED})"
    ),
    undone=(
        r"\b(?:ben|zijn|verhuisde)\b[^.;!?]{1,50}?\b(?:en|maar|toen)\b[^.;!?]{0,40}?"
        r"\b(?:teruggekomen|teruggekeerd|terugverhuisd|kwam terug|weer terug)\b"
    ),
    turns=r"\b(?:maar|in werkelijkheid|eigenlijk|in het echt)\b|\ben (?:nu|toen|vandaag)\b",
    breaks=r"\b(?:omdat|sinds|terwijl|toen)\b|\ben(?= $| (?:ik|we|in|nu)\b)",
)
