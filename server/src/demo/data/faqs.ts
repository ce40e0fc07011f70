import type { addFaq } from '@aisle/contract/support/faq'
import type { CallOf } from '@aisle/contract/kernel/endpoint'

/** What people ask support most. */
export const faqs: readonly CallOf<typeof addFaq>[] = [
  {
    topic: 'account',
    place: 10,
    questionZh: '忘记密码怎么办？',
    answerZh: '在登录页点“忘记密码”，用手机验证码重设；没有登记手机的请联系商户管理员。',
    questionEn: 'I have forgotten my password. What now?',
    answerEn: 'Choose “Forgotten password” on the sign-in page and set a new one with a code sent to your phone.',
    questionFr: 'J’ai oublié mon mot de passe, que faire ?',
    answerFr: 'Sur la page de connexion, choisissez « Mot de passe oublié » et utilisez le code reçu par SMS.',
    questionKo: '비밀번호를 잊어버렸어요.',
    answerKo: '로그인 화면에서 “비밀번호 찾기”를 선택하고 휴대폰 인증번호로 재설정하세요.',
  },
  {
    topic: 'machine',
    place: 10,
    questionZh: '机器显示离线，但现场还能卖货？',
    answerZh: '机器断网时仍可现金和会员卡售卖，联网后自动补传订单；超过设置的分钟数会报警。',
    questionEn: 'A machine is offline and still sells. Is that right?',
    answerEn: 'Yes: it keeps selling for cash and cards, and sends its orders once it is connected again.',
  },
  {
    topic: 'order',
    place: 20,
    questionZh: '顾客付了款没有出货，钱什么时候退？',
    answerZh: '机器报告出货失败后自动原路退款；在“退款管理”里可按订单号查看进度。',
  },
  {
    topic: 'order',
    readers: ['customers'],
    place: 30,
    questionZh: '付了款没有出货怎么办？',
    answerZh: '机器确认没有出货的，款项会自动原路退回，一般几分钟到账。没有收到请扫机器上的码告诉我们。',
    questionEn: 'I paid and nothing came out. What now?',
    answerEn:
      'Where the machine knows it, your money goes back by itself within minutes. If it has not, scan the machine’s code and tell us.',
    questionFr: 'J’ai payé et rien n’est sorti, que faire ?',
    answerFr:
      'Si la machine l’a constaté, vous êtes remboursé en quelques minutes. Sinon, scannez son code et écrivez-nous.',
    questionKo: '결제했는데 상품이 나오지 않았어요.',
    answerKo: '기기가 확인한 경우 몇 분 안에 자동 환불됩니다. 환불되지 않았다면 기기의 코드를 스캔해 알려 주세요.',
  },
  {
    topic: 'medicine',
    readers: ['customers', 'staff'],
    place: 40,
    questionZh: '为什么买药要扫身份证？',
    answerZh: '部分药品依法须实名登记。我们只保存法规要求的内容。',
    questionEn: 'Why does the machine ask for my identity card?',
    answerEn: 'The law asks for a name with some medicines. We keep no more than it asks for.',
  },
]
