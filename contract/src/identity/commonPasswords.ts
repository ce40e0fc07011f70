/**
 * What people choose first, in every published list of stolen passwords: stems, in lower case and with letters for the
 * usual look-alikes (0 for o, @ for a …). A stem stands for itself with digits and signs around it too, so `admin`
 * also means `Admin@2024!`. Runs, repetitions and dates are rules of their own and not listed.
 */
export const commonStems: ReadonlySet<string> = new Set(
  `
  password passwort passwd passw pass motdepasse contrasena senha parola secret secreto geheim letmein welcome
  bienvenue willkommen login logon signin access master admin administrator root toor super superuser sysadmin user
  guest test tester testing demo default changeme change temp temporary private public system server oracle postgres
  mysql mongodb redis tomcat jenkins docker ubuntu debian centos windows microsoft google facebook twitter instagram
  linkedin youtube amazon apple samsung huawei xiaomi lenovo nokia iphone android internet computer laptop network
  database manager office company business finance sales service support operator vending machine aisle medicine
  iloveyou loveyou loveme lovely lover love forever baby babygirl babyboy angel princess prince queen king sweetie
  sweet honey sugar darling beautiful friends friend family mother father mommy daddy sister brother
  monkey dragon tiger lion eagle panther wolf bear bunny kitty kitten puppy doggy buster max rocky charlie bailey
  lucky ginger cookie pepper banana orange cherry chocolate cheese coffee flower summer winter spring autumn sunshine
  sunday monday friday january february march april june july august september october november december
  rainbow purple yellow silver golden diamond shadow phoenix thunder lightning storm hunter ranger killer ninja pirate
  warrior soldier knight wizard merlin matrix neo trinity starwars startrek pokemon pikachu naruto batman superman
  spiderman ironman marvel hello hellokitty helloworld world whatever nothing trustno trustnoone freedom liberty peace
  blessed jesus christ jesuschrist heaven faith hope grace football baseball basketball soccer hockey golf tennis
  arsenal chelsea liverpool barcelona realmadrid juventus lakers yankees cowboys steelers eagles
  michael jordan daniel thomas andrew robert joshua matthew anthony william richard george jennifer jessica ashley
  nicole amanda samantha michelle melissa elizabeth hannah sophie sophia maria anna laura martin david john james
  alex alexander alexandra chris christian patrick peter steven kevin brian justin brandon
  mustang ferrari porsche mercedes corvette harley yamaha honda toyota
  money dollar million rich power energy magic music guitar metallica nirvana eminem
  qazwsx asdf zxcv qwer qwert qwerty azerty woaini aini wodemima mima wodeaini wode
  nihao zhongguo china beijing shanghai guangzhou shenzhen woshishei wangyut tiankong baobao laopo laogong
  zhang wang zhao chen yang huang zhou xiao liu shanghu guanli guanliyuan yonghu houtai xitong
  soleil doudou loulou chouchou nicolas camille marseille france paris azertyuiop bonjour amour
  sarang saranghae korea seoul gksrnr dkssud tkfkdgo dlqmsl
  sample example sesame opensesame abcd abc aaa xxx qwe asd zxc pwd adm sys dev prod live yes
  `
    .trim()
    .split(/\s+/),
)
