"""Topics of a life in Romance languages.

A line is `topic: asks | tells`; what asks for a topic tells of it too. `life_topics` reads it.
"""

from typing import Final

_SPANISH = """
home: vivo vives vive vivimos vivir viviendo ciudad casa domicilio resido reside hogar dirección
 vivía vivíamos vivías viví vivimos | vivo vive piso mudado mudé mudó mudamos instalado instalé
 trasladado casa
work: trabajo trabajas trabaja trabajar trabajando empresa empleo empleador curro trabajaba
 trabajabas trabajé | trabajo empecé contratado contrataron turno plantilla gano curro puesto
boss: jefe jefa encargado encargada supervisor superior | jefe jefa encargado encargada
profession: profesión oficio dedica dedico ocupación trabaja | enfermero enfermera maestro maestra
 profesor profesora ingeniero ingeniera electricista fontanero carpintero panadero cocinero
 camarero conductor albañil médico médica abogado abogada peluquera dependienta contable
pet: mascota mascotas animal perro perra gato gata | perro perra perrito perrita gato gata gatito
 gatita cachorro loro hámster conejo tortuga
allergy: alérgico alérgica alergia alergias | sarpullido hincha hinchazón ronchas picor urgencias
 sienta fatal alergia
drink: bebo bebes bebe beber bebida desayuno tomar tomo | café té infusión manzanilla zumo leche
 cerveza vino agua
favourite: favorito favorita preferido preferida plato comida gusta | encanta chifla encantan
 favorito favorita apasiona pirra
dislike: odio detesto soporto aguanto asco | soporto aguanto odio detesto asco repugna
dentist: dentista diente dientes muela | dentista muela empaste corona
appointment: cita consulta | cita aplazado pospuesto cambiado
car: coche carro auto vehículo conduzco | coche conduzco comprado vendí vendido matrícula
holiday: vacaciones verano viaje viajar vamos | vacaciones viaje playa iremos rural julio agosto
 reservado montaña
rent: alquiler renta piso cuesta pagamos pago | alquiler casero casera euros pagamos renta
 mensualidad
study: estudia estudio estudias estudiar carrera | estudia carrera universidad facultad
 matriculado grado
teach: enseña enseño asignatura clases materia | clases enseña profesor profesora
school: colegio escuela instituto curso | colegio instituto curso
wife: esposa mujer señora | mujer esposa
husband: esposo marido | marido esposo
partner: pareja novio novia casado casada | novio novia pareja casado casada
sister: hermana | hermana
brother: hermano | hermano
son: hijo | hijo
daughter: hija | hija
parents: padres suegros | suegro suegra
birthday: cumpleaños edad años nací nacido nacida | cumple cumpleaños cumplo nací nació nacida
origin: origen natal procedo nací | nací criado criada
wifi: wifi internet contraseña clave | wifi clave contraseña router
keys: llave llaves repuesto copia | llaves llave copia
medicine: medicina medicamento medicación pastilla pastillas dosis tomar | miligramos mg pastilla
 receta recetado subido bajado
operation: operación operan cirugía operar | operan operación operado quirófano hospital clínico
therapy: terapia tratamiento rehabilitación | fisio fisioterapia rehabilitación masajes
eyes: gafas lentes vista ojos | gafas dioptrías lentillas
sport: deporte afición ejercicio practico entreno juego | juego pádel gimnasio entreno equipo
smoke: fumo fumas fuma fumar fumando fumador | tabaco fumar cigarrillos cigarro
alcohol: alcohol | alcohol
weight: peso pesa pesas | kilos peso
height: mido altura estatura | metro
phone: teléfono móvil número | número móvil
bank: banco cuenta | banco cuenta
language: idioma idiomas lengua hablo | hablo habla
sick: enfermo enferma enfermedad salud | enfermo enferma diagnosticado
nickname: apodo mote | llamaban apodo mote
neighbour: vecino vecina vecinos | tercero segundo
money: ahorro ahorros ahorrar | ahorro ahorros
instrument: instrumento música | piano guitarra violín coro canto
colour: color |
"""

_FRENCH = """
home: habite habites habitons habiter vis vit vivre ville domicile adresse loge habitais habitait
 vivais vivait habité vécu | habite vis vit installé installée déménagé emménagé appartement
 maison partie parti logement
work: travaille travailles travailler travail entreprise boulot emploi employeur société boîte
 bosse travaillais travaillait travaillé | travaille bosse embauché embauchée commencé poste
 contrat chez usine bureau
boss: patron patronne chef cheffe supérieur responsable | patron patronne chef cheffe responsable
profession: métier profession | infirmier infirmière instituteur institutrice professeur ingénieur
 électricien plombier menuisier boulanger cuisinier serveur chauffeur maçon médecin avocate
 coiffeuse vendeuse comptable
pet: animal animaux compagnie chien chat | chien chienne chat chatte chiot chaton lapin
 hamster tortue perroquet cochon
allergy: allergique allergie allergies | plaques boutons gonfle gonflé gratte urticaire démange
 allergie urgences
drink: bois boit boire boisson déjeuner | café thé tisane verveine jus lait bière vin infusion
favourite: préféré préférée favori plat aime adore | adore raffole préféré préférée aime régale
dislike: déteste horreur supporte aime | horreur déteste supporte dégoûte
dentist: dentiste dent dents | dentiste couronne dent
appointment: rendez | rendez repoussé reporté décalé
car: voiture auto véhicule conduis | voiture roule vendu revendu acheté
holiday: vacances été voyage partons allons | vacances voyage aller réservé plage montagne juillet
 août
rent: loyer appartement coûte payons | loyer propriétaire euros mois
study: études étudie étudier fac matière | étudie fac université licence inscrit
teach: enseigne matière professeur | enseigne cours
school: école collège lycée études classe | école collège lycée classe pris admis
wife: femme épouse | femme épouse
husband: mari époux | mari époux
partner: compagnon compagne copain copine marié mariée couple | marié mariée copain copine
sister: sœur | sœur
brother: frère | frère
son: fils | fils
daughter: fille | fille
parents: parents beaux | beau belle
birthday: anniversaire âge né née naissance | né née anniversaire fêtera fête ans
origin: origine viens né née grandi | né née grandi
wifi: wifi internet passe réseau | wifi code passe box
keys: clé clés clef clefs double | clé clés clefs double
medicine: médicament médicaments dose cachets comprimés prendre | milligrammes mg comprimé
 comprimés prescrit ordonnance
operation: opération opère opéré chirurgie | opéré opération opère hôpital clinique
therapy: traitement thérapie rééducation | kiné rééducation séances
eyes: lunettes vue yeux | dixièmes lunettes dioptries œil
sport: sport loisir hobby pratique entraîne joue | club joue entraînement gym
smoke: fume fumes fumer fumeur cigarettes | cigarette cigarettes clope fumer tabac
alcohol: alcool | alcool
weight: pèse poids | kilos
height: mesure taille grand | centimètres
phone: téléphone portable numéro | numéro portable
bank: banque compte | banque compte
language: langue langues parle | parle
sick: malade maladie santé | malade diabète
nickname: surnom surnomme | surnom appelait surnommait
neighbour: voisin voisine voisins | rez étage
money: économise épargne économies | économies épargne
instrument: instrument musique | piano guitare violon chorale
colour: couleur |
"""

_PORTUGUESE = """
home: moro mora moras moramos vivo vive cidade casa morada endereço resido morava moravas morei
 vivia vivi | moro vivo mudei mudou mudámos mudamos apartamento casa viver morar
work: trabalho trabalhas trabalha trabalhar empresa emprego patrão trabalhava trabalhavas
 trabalhei | trabalho contratado comecei entrei firma loja fábrica
boss: chefe patrão patroa gerente | chefe patrão gerente
profession: profissão ofício ganha | enfermeiro enfermeira professor professora engenheiro
 engenheira eletricista canalizador encanador carpinteiro padeiro cozinheiro motorista médico
 médica advogada
pet: animal estimação bicho cão cachorro gato gata | cão cadela cachorro gato gata gatinho
 cachorrinho hamster coelho tartaruga papagaio
allergy: alérgico alérgica alergia | inchar incha inchaço comichão manchas urticária alergia
drink: bebo bebe beber bebida almoço | café chá sumo suco leite cerveja vinho
favourite: preferido preferida favorito favorita prato comida gosto | adoro preferido favorito
 preferida favorita amo
dislike: odeio detesto suporto gosto | odeio detesto suporto nojo
dentist: dentista dente dentes | dentista coroa
appointment: consulta marcação compromisso | consulta adiada adiado remarcada passou
car: carro automóvel conduzo dirijo | carro vendemos vendi comprámos compramos comprei
holiday: férias verão viagem | férias viagem praia vamos
rent: renda aluguel aluguer casa pago pagamos custa | renda aluguel senhorio euros subiu
study: estudo estuda estudar curso | estuda curso universidade faculdade
teach: ensina aulas disciplina leciona | aulas ensina dá
school: escola colégio turma | escola colégio
wife: esposa mulher | mulher esposa
husband: marido esposo | marido
partner: namorado namorada casado casada companheiro | namorado namorada casado casada
sister: irmã | irmã
brother: irmão | irmão
son: filho | filho
daughter: filha | filha
birthday: aniversário anos idade nasci nascido | faz aniversário nasci
origin: origem nasci natural | nasci natural
wifi: wifi internet senha palavra | wifi senha palavra
keys: chave chaves | chave chaves
medicine: medicamento remédio comprimidos dose tomar | miligramas mg comprimidos receitou
operation: operação cirurgia operado | operação cirurgia hospital
eyes: óculos vista visão | óculos dioptrias
sport: desporto esporte passatempo treino jogo pratico | jogo ginásio treino academia
smoke: fumo fumas fumar fuma fumador | fumar tabaco cigarros
weight: peso | quilos
phone: telefone telemóvel celular número | número telemóvel celular
bank: banco conta | banco conta
language: língua idioma falo | falo
sick: doente doença saúde | doente
neighbour: vizinho vizinha | andar
"""

_ITALIAN = """
home: abito abiti abita abitiamo abitare vivo vivi vive città casa indirizzo risiedo abitavo
 abitavi abitava vivevo viveva | abito vivo abita vive trasferito trasferita trasferiti
 appartamento casa
work: lavoro lavori lavora lavorare azienda impiego ditta lavoravo lavoravi lavorava | lavoro
 assunto assunta iniziato turno ditta azienda sto faccio
boss: capo direttore superiore responsabile | capo direttore responsabile
profession: mestiere professione faccio lavoro | infermiere infermiera insegnante maestro maestra
 professore ingegnere elettricista idraulico falegname panettiere cuoco cameriere autista medico
 avvocato
pet: animale domestico cane gatto gatta | cane gatto gatta cagnolino gattino cucciolo
 criceto coniglio tartaruga pappagallo
allergy: allergico allergica allergia allergie | gonfiare gonfia gonfiano prurito sfogo orticaria
 bolle allergia
drink: bevo bevi beve bere bevanda colazione | caffè tè tisana succo latte birra vino
favourite: preferito preferita piatto cibo piace | matto matta adoro preferito preferita
 impazzisco amo
dislike: odio detesto sopporto schifo | odio detesto sopporto schifo
dentist: dentista dente denti | dentista capsula corona
appointment: appuntamento visita | appuntamento spostato spostata rinviato rimandato
car: macchina auto automobile guido | macchina guido venduto comprato preso
holiday: vacanza vacanze estate ferie viaggio | vacanza vacanze viaggio mare montagna andiamo
rent: affitto casa paghiamo pago costa | affitto padrone proprietario euro alzato
study: studia studio studi università facoltà | studia università laurea
teach: insegna materia lezioni | insegna
school: scuola liceo classe | scuola liceo classe
wife: moglie | moglie
husband: marito | marito
partner: fidanzato fidanzata compagno compagna sposato sposata | fidanzato fidanzata sposato
sister: sorella | sorella
brother: fratello | fratello
son: figlio | figlio
daughter: figlia | figlia
birthday: compleanno anni età nato nata | compie compleanno nato nata
origin: origine nato nata vengo | nato nata cresciuto
wifi: wifi internet rete | wifi
keys: chiave chiavi | chiave chiavi
medicine: medicina farmaco pastiglie dose compresse prendere | milligrammi mg compressa prescritto
operation: operazione intervento operato | operazione intervento ospedale
eyes: occhiali vista occhi | occhiali diottrie decimi
sport: gioco alleno palestra pratico | gioco palestra allenamento squadra
smoke: fumo fumi fuma fumare fumatore | fumare sigarette sigaretta
weight: peso | chili
phone: telefono cellulare numero | numero cellulare
bank: banca conto | banca conto
language: lingua lingue parlo | parlo
sick: malato malata malattia salute | malato malata
neighbour: vicino vicina vicini | piano
"""

TABLES: Final = {
    "Spanish": _SPANISH,
    "French": _FRENCH,
    "Portuguese": _PORTUGUESE,
    "Italian": _ITALIAN,
}
