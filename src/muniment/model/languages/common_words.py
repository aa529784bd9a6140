"""Common words: frequent words that do not show that two texts share a subject.

"Same time" and "third time lucky" share a word and nothing else. A value of a life is a name or a
rarer word; of these alone a later text must say what it is about.
"""

from typing import Final

COMMON_ENGLISH: Final = """
able add afford age agree alone amount answer anyone anything area arrive ask available back bad
 base beat beautiful become bed begin believe best better big bit block body book boring bother
 box boy break breakfast bring build busy buy call care carry case catch cause certain chance
 change check child choice choose city class clean clear close cold come common company complete
 continue cook cost count country couple course cover crazy cut daily dark date day deal decide
 deep die different difficult dinner do door double draw dream drink drive drop dry easy eat eight
 email end enjoy enough evening everyone everything exact example exchange expect expensive
 explain extra eye face fact fail fair fall family far fast favourite feel few field fight figure
 fill find fine finish first fit five fix floor follow food forget form four free fresh friday
 friend front full fun future game get girl give glad go good great group grow guess guy half hand
 hang happen happy hard hate head hear heart heavy help here high hit hold home hope hot hour house
 huge hundred hurt idea important inside issue job join keep kid kill kind know large last late
 laugh law lead learn leave left less letter level life lift light like line list listen little
 live local lock long look lose loss lot loud love low lucky lunch main make man mark matter maybe
 mean meet meeting member mention message middle million mind minute miss mistake mix moment
 monday money month morning move mr mrs much name near need nervous new news next nice night nine
 noise normal note notice number offer office okay old open order other outside pack page pain
 paper part party pass past pay people perfect person phone photo pick picture piece place plan
 play please point poor possible post practice prepare present press pretty problem promise public
 pull push put question quick quiet quit rain reach read ready real reason receive red remember
 report rest result return rich ride right road role room round rule run sad safe same saturday
 save say school season seat second see seem sell send sense serious serve set seven shape share
 short show shut sick side sign simple single sit six size sleep slow small smile solve someone
 something soon sorry sort sound space speak special spend spot stage stand start state stay step
 stick stop story straight strange street strong student study stuff stupid suggest summer sun
 sunday support sure surprise system table take talk tall teach team tell ten term terrible test
 text thank thing think third thought thousand three throw thursday tie time tired today together
 tomorrow tonight touch town trade train travel trip trouble true trust try tuesday turn twice two
 type understand use usual video view visit voice wait wake walk wall want warm watch water way
 wear weather wednesday week weekend weird well whole wide win window winter wish woman wonder
 word work world worry worth write wrong year yesterday young
"""
_GERMAN = """
abend anfang arbeit art auge bisschen bild brief ding eltern ende essen fall familie fenster firma
 frage freund gehen geld gemacht gesagt geschichte glück grund gut halten hand haus heute hilfe
 idee jahr jung kind kommen kopf lange leben leider leute lassen machen mal mann mensch minute
 moment monat morgen nacht name neu paar platz problem punkt sache sagen schnell schule seite
 spaß stadt stehen stelle straße stunde stück tag teil tisch tür uhr wasser weg welt werk wetter
 wissen woche wochenende wohnung wort zeit zimmer zug
"""
_SPANISH = """
agua algo amigo año bien buen bueno cabeza calle cara casa caso ciudad cosa cuenta cuerpo culpa
 decir dinero día dia empresa fin final forma gente grupo hablar hacer hambre hora hombre idea
 lado lugar mal mano mañana mes minuto momento mujer mundo nada niño noche nombre nuevo nuestro
 oficina ojo palabra parte pasado persona pregunta problema puerta punto rato razón semana suerte
 tarde tiempo todo trabajo vez veces vida
"""
_RUSSIAN = """
вещь вечер вода вопрос время глаз год город голова день деньги дело дом друг дверь жизнь идея
 имя конец лицо место месяц минута мир момент неделя ночь окно ответ очень работа раз ребёнок
 рука семья слово случай стол сторона страна улица утро час часть человек люди школа
"""
COMMON_WORDS: Final = frozenset(f"{COMMON_ENGLISH}{_GERMAN}{_SPANISH}{_RUSSIAN}".split())
# Words around a verb that name nothing: "The Saab finally died", "Wo arbeite ich inzwischen?"
_ADVERBS = """
always generally never normally typically usually
 gewöhnlich immer meist meistens nie normalerweise üblicherweise
 generalmente habitualmente normalmente nunca siempre
 généralement habituellement jamais normalement toujours
 geralmente sempre solitamente
 altijd gewoonlijk meestal nooit
 всегда никогда обычно
ainda ancora aún encore hâlâ jeszcze nadal noch nog steeds todavía ещё
actually already apparently completely currently definitely definitively eventually finally
 gradually just lately meanwhile now nowadays officially peacefully permanently probably quietly
 recently sadly simply soon suddenly then totally unexpectedly unfortunately
bereits derzeit eigentlich endgültig endlich gestern inzwischen jetzt leider letztlich
 mittlerweile momentan nun offiziell plötzlich schließlich schon unerwartet vollends wohl zurzeit
actualmente ahora anoche ayer definitivamente desgraciadamente fin final finalmente
 lamentablemente oficialmente recientemente repentinamente ya
actuellement définitivement désormais enfin finalement hier maintenant malheureusement récemment
 soudain soudainement
adesso attualmente definitivamente finalmente ieri improvvisamente infine ormai purtroppo
 recentemente
agora atualmente finalmente infelizmente ontem recentemente repentinamente
eindelijk gisteren helaas inmiddels momenteel onlangs plotseling uiteindelijk
вдруг внезапно вчера наконец недавно окончательно сейчас сожалению теперь уже
"""
ADVERBS: Final = frozenset(_ADVERBS.split())
# Words behind a verb that are nobody's value: "handed the keys back", "put it away".
_PARTICLES = "along apart around aside away back down off out over through up"
PARTICLES: Final = frozenset(_PARTICLES.split())
