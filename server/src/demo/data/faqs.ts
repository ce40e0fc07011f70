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
]
