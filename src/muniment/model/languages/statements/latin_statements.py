"""Statement words of the languages in Latin letters."""

from collections.abc import Mapping
from typing import Final

from muniment.model.languages.statements.statement_rows import StatementWords

_ENGLISH = StatementWords(
    orders=(
        r"(?:please |pls |now |ok |okay |so |and |then |just |can you |could you |will you )*(?:"
        r"(?:tell|show|give|help|remind|send|teach|read|get|find|sing|write|draw|make|let|play"
        r"|bring"
        r"|order|book|buy|call|wake|set) (?:me|us|it|that|this|them)\b"
        r"|(?:write|draft|create|generate|compose|draw|make|build|tell|find|suggest|recommend|list"
        r"|plan|design|invent|name|pick|count|say|explain|describe|compare|define) (?:a|an|some|the"
        r"|my|me|\d+|ten|five|three|two|another|how|what|why|all|up)\b"
        r"|(?:explain|describe|define|recommend|suggest|compare|draft|generate|compose|translate"
        r"|summari[sz]e|rewrite|rephrase|paraphrase|shorten|proofread|calculate"
        r"|compute"
        r"|convert|google|look up|look it up|search|repeat|continue|go on|carry on|keep going|stop"
        r"|try (?:again|that|it|harder|once)|do it|do that|start over|undo|delete|remove|ignore"
        r"|be (?:brief|quiet|short|nice|more|less)|set (?:a|an|the) (?:timer|alarm|reminder)"
        r"|turn (?:on|off|up|down|it|this|that)|switch (?:on|off)|remind|let s|lets|check (?:the"
        r"|my|if|this"
        r"|that|it|again)|fix (?:the|this|that|it)|run (?:the|this|that|it)|open (?:the|my|it)"
        r"|add (?:a|an|the|this|that|it|some)|send (?:a|an|the|him|her|them)|wait|hold on|hang on"
        r"|(?:not|yes|no) (?:please|like (?:that|this))|never mind|forget it|(?:a bit |much )?"
        r"(?:shorter|longer|again|more|better|louder|faster|slower) please)\b)"
    ),
    asks=(
        r"(?:so |and |but |ok |okay |well |hey |then |also |btw |by the way |wait )*(?:"
        r"(?:what|who|where|when|why|how|which|whose)(?: \w+)? (?:is|are|was|were|do|does|did"
        r"|should"
        r"|shall|would|will|can|could|has|have|am|might|must)\b|(?:what|who|where|how|why) s\b"
        r"|how (?:much|many|long|far|often|old|big|come|about)\b|what (?:about|if|kind|time|day"
        r"|else)\b"
        r"|(?:do|does|did|is|are|was|were|can|could|would|should|shall|will|may|have|has) "
        r"(?:you|i|we|he|she|they|it|there|this|that|the|my|your|anyone|anybody|somebody)\b"
        r"|any (?:idea|ideas|news|thoughts|tips|suggestions|advice)\b|what a\b)"
    ),
    own=r"(?:my|our) \w+",
    fillers=(
        "wait|yes|yeah|yep|yup|nope|nah|no|please|pls|again|well|so|right|really|true|same|nice"
        "|cool|great|good|fun|funny|sweet|awesome|perfect|amazing|interesting|whatever|anyway"
        "|hello|hey|hi|thanks|thank|bunch|one|sure|fine|deal|done|exactly|maybe|sorry|bye|later"
        "|tomorrow|lovely|brilliant|wonderful|boring|sad|wild|crazy|back|dude|man|bro|welcome"
        "|stop|worries|worry|mate|gimme|cheers|grand|heh"
    ),
)
_GERMAN = StatementWords(
    orders=(
        r"(?:bitte |und |dann |jetzt |also |ok |okay |nun |mal )*(?:"
        r"(?:sing|singe|koch|koche|bring|hol|buch|pruf|prufe|check|sag|sage|erzahl|erzahle|zeig"
        r"|zeige|gib|hilf|erklar|erklare|schreib|schreibe|mach|mache"
        r"|such|suche|schick|erinner|erinnere|lies|nenn|nenne|ubersetz|ubersetze|fass|fasse|kurz"
        r"|kurze|formulier|formuliere|berechne|rechne|wiederhol|wiederhole|versuch|versuche|probier"
        r"|probiere|spiel|stell|stelle|vergleich|vergleiche|losch|losche|korrigier|korrigiere"
        r"|weiter"
        r"|warte|stopp|halt|lass|google|beschreib|beschreibe|erfinde|plane|empfiehl|schau|guck"
        r"|offne|starte|zahl|zahle|hor|hore|nochmal|noch mal|noch einmal)"
        r"(?= (?:mir|uns|mich|das|es|den|die|der|dem|ein\w*|mal|bitte|noch\w*|dir|sie|alle\w*|auf"
        r"|ab"
        r"|an|zusammen|\d+|kurz|weiter|kurzer|langer|ins)\b|$)|ja bitte|nein nicht|nicht so|egal"
        r"|(?:machen wir|lass uns|weiter geht s|gehen wir) ?(?:weiter|mal)?|mehr davon|lauter"
        r"|na los)"
    ),
    asks=(
        r"(?:und |aber |also |na |ok |sag mal |du )*(?:ob |(?:was|wer|wo|wann|warum|wieso|weshalb"
        r"|welche\w*"
        r"|woher|wohin|womit|wofur|wen|wem|wessen|wogegen) (?:\w+ )?(?:ist|sind|war|waren|hat|habe"
        r"|hast"
        r"|haben|kann|kannst|soll|wird|macht|machst|meinst|denkst|gibt|kostet|heißt|bedeutet"
        r"|lauft|geht|sagst|haltst|weißt|wurdest|willst|ist s)\b|was fur ein|wie (?:viel\w*|lange"
        r"|oft"
        r"|weit|alt|teuer|geht|war|ist|macht|heißt|kann|kommt|soll|schreibt|sagt|spat|ware"
        r"|findest)\b"
        r"|(?:kannst|konntest|weißt|weisst|hast|bist|willst|wurdest|magst|findest|glaubst|kennst"
        r"|meinst|denkst) du|(?:ist|sind|gibt|kann|soll|darf|wird) (?:das|es|man|ich|die|der"
        r"|sie)\b)"
    ),
    calls=r"(?:nenn|nennt|nennen sie) mich (?!nicht)",
    own=r"(?:mein\w{0,2}|unser\w{0,2}) \w+",
    fillers=(
        "ja|nein|doch|genau|echt|wirklich|super|toll|klasse|cool|prima|schon|gut|nett|lustig|na"
        "|naja"
        "|so|also|warte|bitte|danke|gern|gerne|egal|krass|puh|ach|achso|hallo|tschüss|bis|gleich"
        "|nochmal|mal|sorry|schade|mist|geil|perfekt|stimmt|klar|morgen|später|dann|montage|nee"
        "|eher|ding|tausend|passt|los"
    ),
)
_DUTCH = StatementWords(
    orders=(
        r"(?:alsjeblieft |aub |en |dan |nu |ok |oke |toe )*(?:(?:vertel|zeg|toon|laat|geef|help|leg"
        r"|schrijf|zoek|stuur|lees|maak|noem|herinner|vertaal|vat|kort|bereken|herhaal|probeer|ga"
        r"|stop|wacht|vergelijk|verzin|bedenk|verbeter|verwijder|voeg|teken|speel|open|start|kijk"
        r"|doe|beschrijf|geef)(?= (?:er|me|mij|ons|het|dit|dat|een|de|eens|even|nog|opnieuw|door"
        r"|maar"
        r"|\d+"
        r"|alle|samen|in|op|die)\b|$)|niet zo|we gaan (?:verder|door)|nog (?:een keer|eens)"
        r"|laat maar|ja graag|(?:korter"
        r"|langer) graag)"
    ),
    asks=(
        r"(?:en |maar |dus |ok |he )*(?:waarom|hoezo|hoeveel\b|ben je\b|(?:wat|wie|waar|wanneer"
        r"|welke?|hoe|waarmee"
        r"|waarover|waarvoor) (?:\w+ )?"
        r"(?:is|zijn|was|waren|vind|denk|doe|doet|kan|kun|moet|heb|heeft|hebt|betekent|kost|gaat"
        r"|weet|zou|laat|veel|lang|oud|ver|vaak|een)\b|(?:kan|kun|kunt|zou|weet|heb|ben|wil"
        r"|vind) (?:je|jij|u)\b)"
    ),
    calls=r"noem (?:me|mij) (?!een)",
    own=r"(?:mijn|onze|ons) \w+",
    fillers=(
        "ja|nee|goed|leuk|mooi|top|gaaf|prima|fijn|bedankt|dank|hallo|hoi|doei|dag|wacht|even|nou"
        "|tja"
        "|toch|echt|precies|klopt|jammer|straks|terug|zo|oké|oke|super|grappig|maandag|graag"
    ),
)
_FRENCH = StatementWords(
    orders=(
        r"(?:s il te plait |s il vous plait |et |alors |maintenant |ok |allez |bon )*(?:"
        r"(?:raconte|dis|donne|montre|ecris|aide|explique|rappelle|trouve|cherche|envoie|lis|fais"
        r"|propose|conseille)[ -](?:moi|nous|le|la|les|lui)\b"
        r"|(?:ecris|fais|cherche|trouve|traduis|resume|calcule|repete|continue|arrete|essaie|essaye"
        r"|corrige|raccourcis|explique|decris|compare|invente|genere|cree|redige|liste|supprime"
        r"|ajoute|convertis|attends|regarde|dessine|propose|recommence|reformule|mets)"
        r"(?= (?:un\w*|le|la|les|l|ce\w*|encore|plus|moi|en|des|\d+|ca|mon|ma|mes)\b|$)"
        r"|\w+-(?:moi|nous|le|la|les)\b|passons|continuons|on continue|pas comme ca"
        r"|plus (?:court|long|bref)|encore une fois|laisse tomber|peu importe|oui s il)"
    ),
    asks=(
        r"(?:et |mais |alors |bon |dis |ok )*(?:qu est ce|est ce|c est quoi|pourquoi|comment"
        r"|combien"
        r"|(?:que|quoi|qui|ou|quand|quel\w*)(?: \w+)? (?:est|sont|fais|fait|faire|penses|dis|peux"
        r"|peut"
        r"|dois|sais|etait|a|as|tu|vous|temps|heure)\b|(?:peux|pourrais|sais|veux|as|es|connais"
        r"|crois)"
        r" tu|tu (?:peux|sais|penses|crois|connais)|quelle journee|t en penses)"
    ),
    calls=r"(?:appelle|appelez)[ -]moi (?!a |au |quand|si |plus|demain|un)",
    own=r"(?:mon|ma|mes|notre|nos) \w+",
    fillers=(
        "oui|non|ouais|bon|bien|super|genial|génial|cool|merci|salut|bonjour|mille|mercis|bonsoir"
        "|tant|pis|mdr"
        "|ptdr|voila|voilà|alors|ben|bof|attends|encore|vraiment|exact|exactement|dommage|sympa"
        "|parfait|marrant|chouette|reviens|accord|grave|lundi"
    ),
)
_SPANISH = StatementWords(
    orders=(
        r"(?:por favor |y |ahora |pues |ok |vale |anda |oye )*(?:"
        r"(?:cuenta|di|da|escribe|muestra|explica|ayuda|recuerda|busca|manda|lee|haz|pon|pasa|trae"
        r"|ensena|compra|canta|recomienda|sugiere)(?:me|nos|lo|la|le|melo|mela|los|las)\b"
        r"|(?:escribe|haz|pon|busca|traduce|resume|calcula|repite|continua|sigue|para|prueba"
        r"|intenta"
        r"|corrige|acorta|alarga|explica|describe|compara|inventa|genera|crea|redacta|lista|borra"
        r"|anade|convierte|espera|mira|oye|dibuja|propon)(?= (?:un\w*|el|la|los|las|esto|esta|este"
        r"|eso"
        r"|otra|mas|me|lo|al|que|\d+|por|cuanto|como|de)\b|$)|\w{3,}(?:ame|eme|alo|ala|elo"
        r"|ela)(?: (?:un\w*|algo|lo|la|eso|esto|mas|por|otra)\b|$)|que sea\w* |hazlo|da igual"
        r"|sigamos|pasemos|continuemos|no asi"
        r"|si por favor|otra vez|prueba otra|olvidalo|mas (?:corto|largo|breve))"
    ),
    asks=(
        r"(?:y |pero |oye |entonces |ok |bueno |es que )*(?:\u00bf|(?:que|quien\w*|donde|adonde"
        r"|cuando"
        r"|cual\w*|cuant\w*|como|por que) (?:\w+ )?(?:es|son|era|opinas|piensas|crees|hay|hago"
        r"|haces|hace|haria\w*"
        r"|puedo|puedes|tengo|tal|te|se|me|significa|dices|esta|estan|sabes|cuesta|dia|hora|debo"
        r"|fue|vale)\b"
        r"|(?:puedes|podrias|quieres|sabes|crees|tienes|conoces|has|eres|puedo|hay|me puedes)\b"
        r"|vaya (?:dia|tarde|noche|semana))"
    ),
    calls=r"(?:llamame|llamadme|llameme) (?!a |al |por |el |la |cuando|luego|si |manana)",
    own=r"(?:mis?|nuestr[oa]s?) \w+|(?:nos )?vamos (?:a|al) (?!ver\b)",
    fillers=(
        "si|sí|no|vale|claro|bueno|bien|genial|guay|vaya|anda|jo|uf|ay|hola|adios|adiós|gracias"
        "|perdon|perdona|espera|igual|exacto|cierto|verdad|luego|ahora|vuelvo|nada|pues|ya|que|qué"
        "|perfecto|estupendo|bonito|gracioso|lunes|mola|tío|tía|venga|favor"
    ),
)
_ITALIAN = StatementWords(
    orders=(
        r"(?:per favore |e |allora |adesso |ora |ok |dai |su )*(?:(?:racconta|dim|dam|scrivi|mostra"
        r"|spiega|aiuta|ricorda|trova|cerca|manda|leggi|fam|consiglia|suggerisci)(?:mi|ci|lo|la"
        r"|melo)\b"
        r"|(?:scrivi|fai|cerca|trova|traduci|riassumi|calcola|ripeti|continua|smetti|prova|riprova"
        r"|correggi|accorcia|spiega|descrivi|confronta|inventa|genera|crea|elenca|cancella|aggiungi"
        r"|converti|aspetta|guarda|disegna|proponi|ricomincia|riscrivi|metti)"
        r"(?= (?:un\w*|il|lo|la|i|gli|le|l|quest\w*|ancora|di|piu|in|\d+|mi|a)\b|$)|andiamo avanti"
        r"|proseguiamo|vado a (?:pranzo|cena|letto)|non cosi"
        r"|piu (?:corto|lungo|breve)|ancora una volta|lascia (?:stare|perdere)|non importa"
        r"|si grazie)"
    ),
    asks=(
        r"(?:e |ma |allora |ok |senti )*(?:perche|come mai|qual e\b|(?:che|cosa|che cosa|chi|dove"
        r"|quando"
        r"|quale"
        r"|quali|quant\w*|come) (?:\w+ )?(?:e|sono|era|fai|fa|faccio|pensi|dici|posso|puoi|devo|sai"
        r"|significa|ne|vuol|stai|si|ora|hai|giornata)\b|(?:puoi|potresti|sai|vuoi|hai|sei|conosci"
        r"|credi)\b"
        r"|ci sei\b|com e\b|cos e\b|dov e\b)"
    ),
    calls=r"chiamami (?!a |al |quando|se |dopo|domani|un)",
    own=r"(?:(?:il|la|i|le) )?(?:mi[oae]|miei|nostr[oaie]) \w+",
    fillers=(
        "si|sì|no|bene|bello|bravo|brava|grande|ottimo|fantastico|perfetto|grazie|ciao|salve|ehi"
        "|dai"
        "|beh|boh|mah|ecco|aspetta|ancora|davvero|esatto|certo|peccato|torno|subito|lunedì|vabbe"
        "|vabbè"
    ),
)
_PORTUGUESE = StatementWords(
    orders=(
        r"(?:por favor |e |entao |agora |ok |va |vai )*(?:(?:conta|conte|diz|diga|da|escreve"
        r"|escreva"
        r"|mostra|mostre|explica|explique|ajuda|ajude|lembra|encontra|procura|manda|faz"
        r"|sugere)[ -](?:me|nos|lhe|o|a)\b"
        r"|(?:me|nos) (?:conta|conte|diz|diga|da|de|escreve|mostra|mostre|explica|explique|ajuda"
        r"|ajude|lembra|lembre|fala|fale|manda)\b"
        r"|(?:escreve|escreva|faz|faca|procura|procure|traduz|traduza|resume|resuma|calcula|calcule"
        r"|repete|repita|continua|continue|para|pare|tenta|tente|corrige|corrija|encurta|explica"
        r"|explique|descreve|descreva|compara|inventa|gera|gere|cria|crie|lista|liste|apaga|apague"
        r"|adiciona|converte|espera|espere|olha|desenha|recomeca)"
        r"(?= (?:um\w*|o|a|os|as|isto|isso|este|esta|esse|outra|mais|de|para|\d+|me|em)\b|$)"
        r"|continuemos|vamos (?:em frente|continuar|adiante)|assim nao"
        r"|nao assim|mais (?:curto|longo|breve)|outra vez|deixa (?:la|pra la)|tanto faz"
        r"|sim por favor)"
    ),
    asks=(
        r"(?:e |mas |entao |ok |olha )*(?:por ?que|(?:o que|que|quem|onde|quando|qual|quais"
        r"|quant\w*"
        r"|como) (?:\w+ )?(?:e|sao|era|achas|acha|pensas|faco|faz|fazer|posso|podes|pode|devo"
        r"|sabes|sabe|ha"
        r"|significa|esta|custa|foi|dia)\b|(?:podes|pode|poderia|sabes|sabe|queres|tens|es"
        r"|conheces|voce (?:pode|sabe|acha))\b)"
    ),
    calls=r"(?:me chama|me chame|chama-me|chame-me) (?:de )?(?!quando|se |as |um)",
    own=r"(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?) \w+",
    fillers=(
        "sim|não|nao|bom|boa|otimo|ótimo|fixe|legal|bacana|massa|obrigado|obrigada|ola|olá|oi"
        "|tchau"
        "|espera|espere|mesmo|certo|exato|claro|pena|volto|ja|já|segunda|valeu|beleza|nossa|puxa"
        "|kk+|rs+"
    ),
)

STATEMENTS: Final[Mapping[str, StatementWords]] = {
    "English": _ENGLISH,
    "German": _GERMAN,
    "Dutch": _DUTCH,
    "French": _FRENCH,
    "Spanish": _SPANISH,
    "Italian": _ITALIAN,
    "Portuguese": _PORTUGUESE,
}
