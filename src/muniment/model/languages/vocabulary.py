"""Vocabulary: everyday words of each language in Latin letters, for language detection.

A short message has one small word or none: "Ich hasse Koriander", "Reunião adiada para terça". The
words of daily life show its language then.
"""

from collections.abc import Mapping
from functools import cache
from itertools import filterfalse
from typing import Final

from muniment.model.languages.common_words import COMMON_ENGLISH
from muniment.model.languages.language_table import flat

_GERMAN = """
aber abgesagt ach aktuell alle allergisch alles als alt anders angefangen anruf antwort apotheke
 arbeite arbeiten arbeitet arzt auch auf aufgabe aus auto bald bei bekomme bekommen bekommt besser
 beste besuch bevor bezahlt bin bisschen bist bitte brauche brauchen braucht brief bringen bruder
 buch chef chefin da damit dank danke dann dass dein deine dem den denn der des dienstag dies diese
 dieser dir doch donnerstag du durch dürfen ein eine einem einen einer eingeladen eltern endlich er
 erledigt erst erzähl es essen euch fahre fahren fahrrad falsch familie fertig finde findet frage
 frau freitag freue freund freundin früher fährt für gebe geburtstag gefällt gegessen gehe gehen
 geht gehört gekauft gekommen gelesen gemacht genau genug gerade gern gerne gesagt geschenk gestern
 gestorben getroffen gezogen glaube gleich großartig größe gut günstig hab habe haben hallo hasse
 hat hatte hause heiße heißt heute hier hilfe hund ich ihm ihn ihr im immer ist ja jahr jahre jede
 jeder jetzt kaffee kam kann kannst kaputt katze kauf kaufe kaufen kein keine kind kinder klar
 klasse klein kleine kochen komme kommen kommt krank krankenhaus kriege kurz können könnte lange
 lebe leben lebt lecker leider letzte letzten liebe lieber liegt mache machen macht mag man mehr
 mein meine meinem meinen meiner meinung mensch mich miete mir mit mittag mittwoch monat montag
 morgen muss mutter möchte mögen müssen nach nachbar nachricht nehme nein neue neuer neues nicht
 nichts niemand nimmt noch nun nur nächste ob oder ohne oma opa passt platz reise rufe sache
 samstag schade schlafen schlecht schlüssel schnell schon schreibe schreiben schreibt schule
 schwester schön sehen sehr sein seit sich sie sind sitzung sohn soll sollte sommer sonntag spiele
 spielen spielt sprache sprechen sprich spät später stadt stelle straße studiert suche tag tage
 termin teuer tisch tochter treffen trinke trinken tschüss uhr um umgezogen und uns unser unsere
 unter urlaub vater vergessen verkauft verlegt verschoben verstehe viel viele vielen vielleicht vom
 von vor wann waren warum wasser wechseln weil weiß weißt welche welcher welches wenig wenn wer
 werde werden wetter wichtig wie wieder wieso will wir wird wissen wo woche wochenende wohne wohnen
 wohnt wohnung wollen wollte wurde zahnarzt zeit zimmer zu zufrieden zuhause zum zur zurück
 zusammen über übrigens
"""
_SPANISH = """
abuela abuelo adiós ahora al alergia algo alguien amiga amigo amigos apellido aplazada aplazado
 aquí así aunque ayer ayuda año años bastante beber bien boda buenas bueno buenos buscar cada calle
 cambiado cambió camión casa casado cena cerca cerveza chico cierto cita ciudad claro coche colegio
 comer comida como compramos compré compró con conduzco conmigo contento correo cosa cosas creo
 cuando cuenta cumpleaños cuál cuándo cuánta cuántas cuánto cuántos código cómo de debajo decidimos
 dejé del dentista desde después dice dinero dirección divorcio doctora domingo donde dosis duele
 día dónde el ella ellos empecé empieza empresa en enero enfermo entonces entre entrega era es esa
 escribe escuela ese eso españa esposa esposo esta estamos este esto estoy estudia estudio está
 están explica familia favorita favorito fecha feliz fiesta fue gato gente gracias grande guapo
 gusta gustan gustaría hablar hace hacer hago hambre hasta hecho hemos hermana hermano hija hijo
 hijos hola hombre hora horario horas hospital hoy idioma iglesia jefa jefe juega juego jueves
 jugar la las le
 leche leer lejos les libro llama llamo llave llaves llegó llevo lo los luego lugar lunes madre
 marido martes mañana mejor menos mes mesa mi mis miércoles mucha muchas mucho muchos mudado mudé
 muerto mujer mundo murió muy más médica médico nací necesito niña niño noche nombre nos nosotros
 novia novio nuestra nuestras nuestro nuestros nueva nuevo nunca odio oficina ojo olvidé otra otras
 otro otros padre padres pagamos pago para pareja pasado pastillas país película peor pequeño pero
 perra perro piso playa por porque prefiero pregunta primero profesora pronto próxima próximo
 pueblo puede puedes puedo puerta que queremos quería quien quiere quiero quién qué regalo reunión
 ropa sabe se semana semanas ser siempre sin sobre sobrina sobrino soltero son su suegra sus sábado
 sábes sí sólo también tan tanto tarde tarta te tenemos tengo tiempo tienda tiene tienes toco toda
 todas todavía todos tomo trabaja trabajar trabajo trae tu tus tuve un una usted vacaciones vamos
 vecina vecino vendimos vendí verano vez viaje vida viejo viernes vino vive vivir vivo voy vuelo ya
 yo él última último
"""
_FRENCH = """
acheté achète adresse aime aimes aller allons alors ami amie amis anniversaire annulé année
 appartement appelle après argent arrêté attends augmenté aujourd aussi autre avant avec avez avons
 beaucoup besoin bien bientôt boire boit bonjour bonsoir boulot bureau café ce ces cet cette changé
 chaque chat cher cherche chez chien chose choses clé clés code collègue combien comme commence
 commencé comment comprends conduis content copain copine coucou cuisine dans de demain dentiste
 depuis dernier dernière des deux dimanche dire dois donc dormir du déjà déteste dîner elle elles
 en encore enfant enfants ensemble envie essaie est et explique faire fais fait faites famille faut
 femme fille film fils fini frère fête garçon gens grand grande habite habitons habitude heure
 heures heureux hier homme hôpital ici il ils jamais janvier jardin je jeudi jeune joue jour
 journée jours la langue le les leur leurs lire livre loin longtemps loyer lundi là ma madame
 magasin maintenant mais maison malade maman mange manger mardi mari mariage marié matin meilleur
 merci mercredi mes midi mieux moins mois mon monde monsieur mort mots mourir mère médecin même ne
 non notre nous nouveau nouvelle nuit oncle ou oui ouvert panne par parce parle parler partir pas
 patron payer pays pendant petit petite peur peut peuvent peux plaisir plat pleut plus pourquoi
 pourrais prendre prends prochain prochaine préfère préféré prénom puis père quand que quel quelle
 quelqu quelque qui quitté quoi raison rendez repas retard retraite rien rue réunion sa sais samedi
 sans santé savoir se semaine ses seul soir sommes sont sous souvent suis sur surtout sœur ta tante
 tard te temps tes ton toujours tous tout toute toutes train travail travaille trop trouve trouvé
 très tu un une vacances vais vend vendredi vendu vendus veut veux vieille viens vient vieux ville
 vin vit vivre voilà voisin voisine voiture votre voudrais vous voyage vraiment ça école écris
 épouse équipe étage était étudie été être
"""
_ITALIAN = """
abbiamo abita abito acqua adesso affitto al alcuni alla allergia allora altra altro amica amici
 amico anche ancora andare andato anni anno appartamento appuntamento arriva aspetta aumentato auto
 autobus avere avete babbo bagno bambina bambini bambino bella bello bene bere bisogno brutto buona
 buongiorno buono cambiato cambio cane capo casa cena cerca che chi chiama chiamo chiave chiavi ci
 ciao cibo cinque città codice cognome collega come compleanno comprato comunque con conosco
 consegna cosa cose cosi credo cucina cugina cugino cui dal dei del della delle devo dice dieci
 dimenticato domani domenica donna dopo dormire dottore dottoressa dove dovrei ecco era eravamo
 essere estate fa faccio famiglia fare fatto febbraio felice festa fidanzata fidanzato figli figlia
 figlio film fine fratello freddo fuori gatto genitori gennaio gente giorni giorno giovane giovedi
 già gli grande grazie guida guido ieri il imparare incontro indirizzo insieme invece io la lavora
 lavorare lavoro le leggere lei lettera lezione libro lo lontano loro lui lunedi luogo ma macchina
 madre mai mamma mangiare mangio marito martedi matrimonio mattina medico meglio meno mercoledi
 mese mesi mi mia miei mio moglie molta molte molti molto mondo morto ne nel nella nessuno niente
 noi nome non nonna nonno nostra nostro notte nulla nuova nuovo odio oggi ogni ora ospedale padre
 paese pagare papa parla parlare parlo paura pensa penso per perche persona piace piacere piano
 piccola piccolo piove più poco poi porta posso prendere prendo prima problema pronto prossima
 prossimo punto qualche qualcosa qualcuno quale quando quanta quante quanti quanto quasi quella
 quello questa questi questo ragazza ragazzo regalo rinviata rinviato riunione rotta rotto sabato
 sai scrivi scuola se sempre senza sera sessanta settimana si siamo sono sorella sotto spesa
 spiaggia stanco stanza stasera stato stazione strada studia studio stupido su subito sul suona
 suono tanto tardi te tempo tengo ti treno troppo trovato tu tutta tutti tutto ufficio ultimo un
 una uomo uscire vacanza vacanze vado vecchia vecchio vediamo vende venduto venerdi verso vi
 viaggio vicino vino vita vive vivo voglio voi volo volta vorrei zia zio
"""
_PORTUGUESE = """
acho agora ainda ajuda alergia algum alguma alguém aluguel amanhã amiga amigo amigos ano anos
 anteontem ao apartamento aqui atrasado aumentou autocarro avariou avó avô beber bem boa bom bonito
 cada café cama caneta carro casa casado casamento cedo cerveja chama chamo chave chaves chefe
 cidade cinema coentros coisa coisas colega com comboio comer começa começou comida comigo como
 compra compramos comprei comprou comprámos conduzo conheço consulta contente correio criança
 crianças cunhada cunhado cães cão da daqui das dela dele demais dentista depois deus devo dia dias
 dinheiro direito disse dizer doente domingo dona dormir dos dói ela elas ele eles em embora
 emprego empresa encontro ensina entrega entrou então era escola escreve escritório esposa esqueci
 essa esse esta estava este estou estuda estudo está estão eu exame família fazer faço feira feliz
 festa fico ficou filha filho filhos fim foi fome fomos forte férias gata gato gente gosta gosto
 grande hoje homem hora horas hospital idade idioma igreja irmã irmão isso isto janeiro jantar joga
 jogo jovem já leite ler lhe livro loja longe lugar lá maior mais manhã marido mas melhor menina
 menino menos meses mesmo meu meus minha minhas mora moro morreu mota mudei mudou muita muitas
 muito muitos mulher mundo mãe médica médico mês na nada namorada namorado nas nasceu ninguém noite
 nome nos nossa nossas nosso nossos nova novo nunca não nós obrigada obrigado odeia odeio oito olá
 onde ontem os ou pagar pai pais para parece partir passado país pela pelo pequena pequeno perto
 pessoa pessoas por posso praia precisa preciso prefiro pressa primeiro pronto próxima próximo
 quais qual quando quanta quantas quanto quantos quarta quarto que quem queria quero quinta
 remarcada renda reunião rua sabe saúde se segunda sei seis sem semana semanas sempre senhor
 senhora ser seu sexta sim sobre sobrinha sobrinho sogra sozinho sua sábado são só também tarde te
 temos tempo tenho terça tia tinha tio toco toda todos tomo trabalha trabalhar trabalho tu tudo um
 uma vamos velho vende vendemos vendeu vendi verão vez viagem vida vinho vive vivo vizinha vizinho
 você vou água ônibus última último
"""
_DUTCH = """
aan afgezegd afspraak al alleen allergisch als altijd anders antwoord auto avond baan baas beetje
 begint begonnen bel betaal betaald beter bezoek bij bijna blij boek broer buurman buurvrouw
 collega daar dacht dag dagen dan dank dankje dat de deze die dierenarts dinsdag dit dochter doe
 doen doet dokter donderdag dood door drink drinken duur een eerste eet elke en er erg eten fiets
 film foto ga gaan gaat gebracht gedaan geen gegaan gegeten gehad gekocht geld gelezen gemaakt
 gescheiden gesprek gestopt gewerkt gewoon gezin goed goede graag groot grote haal haar haat hallo
 heb hebben hebt heeft heel helemaal help hen het hier hij hoe hoeveel hond honger huis hun huur
 iedereen iemand iets ik ja jaar jaren jarig je jij jongen jouw jullie kamer kan kapot kat keer
 kind kinderen klaar klein kleine koffie kom komen komt kon koop kopen kosten krijg krijgt kunnen
 laat land lang leest leren les leuk leven lezen liever lopen maak maakt maandag maar man medicijn
 meer meisje melk mensen met mij mijn misschien moeder moet moeten mogelijk mooi morgen naam naar
 nacht nee neef nicht niemand niet niets nieuw nieuwe nog nooit nou ochtend om oma onder ons onze
 ook op opa oude ouders over overmorgen papier patiënt pijn plaats praten reis rijd rijden school
 schrijf slaap slapen sleutel sleutels snel soms speel speelt spreek spreekt staat stad straat
 straks studeert stuk stuur tandarts tante te tegen tijd toch toen tot trein trouwen trouwens tuin
 uit uur vader vakantie van vanavond vandaag veel ver vergadering vergeten verhuisd verjaardag
 verkocht verplaatst vertel verzet vind vinden vlees vliegtuig voor vraag vragen vriend vriendin
 vrijdag vroeg vroeger vrouw waar waarom wacht waren wat water week weekend weer weet weken wel
 welke werk werken werkt wie wij wil willen winkel wist woensdag wonen woon woont worden wordt
 zaterdag ze zeg zegt zeker ziek ziekenhuis zien zijn zoek zomer zondag zonder zoon zou zus zwaar
"""
_ENGLISH = """
a about after again album all also always am an and animal any apron are area around as asked at
 audio away bank bar bass bath be beach because been beer before being between bike bird boat boss
 both bottle bought bread brother bus but by cable camera camp can canal car card cat chat chef
 client coach code coffee comma concert content control cool could crime cup dad dam data daughter
 dessert did died diesel dire doctor does dog doing dona done dose down drama drum each editor
 email era error every everybody extra fan fare fat father favorite film fin firm flat flora focus
 for fort from fund garden gas gate gave general gin going gone got grey guitar gym had hall ham
 has hat have having he hell her hero hers him his holiday hospital hotel how human husband i idea
 ideal if in info into is it its jam jazz just kept kiosk lager lamp land left legal lens liter
 lives log lost lot made mail manger mango many mare mark mart may me medicine menu metro might
 mode model modern mole mom more most mother moto motor moved mum museum music must my myself net
 nine no nobody none nor normal not note now of off on once one only opera or orange order our
 ours out over own pan park pasta patron pays pendant pension pet photo piano pizza plan plat
 plate plot plus polar pool pop port post pot pour prefer program quite radio rare rather real
 really regular rest rival rock rose rot rue ruin rum said sale salon sat sauce school seen set
 shall she shop should show since singer single sister site so social soda sofa solar sold sole
 solo some somebody son sort sport star start station still stop student studio such sugar swim
 taxi tea team tennis test than thanks that the their them then there these they this those though
 through tie till to too took tour tractor trail train tram transport trap trauma trial trip tune
 type under union until up us use van vapor vend very video villa vine virus visa wander war warm
 was we were west what when where which while who whole whom why wife wild will wind wine with
 without won would yeah yes yet you your yours zebra zero zoo
"""

_TABLES: Final[Mapping[str, str]] = {
    "German": _GERMAN,
    "Spanish": _SPANISH,
    "French": _FRENCH,
    "Italian": _ITALIAN,
    "Portuguese": _PORTUGUESE,
    "Dutch": _DUTCH,
}


@cache
def english_words() -> frozenset[str]:
    return _words(_ENGLISH) | _words(COMMON_ENGLISH)


@cache
def vocabulary(language: str) -> frozenset[str]:
    """The words of a language, by its name, that are not English as well."""
    return _words(_TABLES.get(language, "")) - english_words()


def _words(table: str) -> frozenset[str]:
    """With their accents, and as those write who leave them out."""
    words = table.split()
    return frozenset(words).union(map(flat, filterfalse(_is_plain, words)))


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isalpha() and word.islower()
