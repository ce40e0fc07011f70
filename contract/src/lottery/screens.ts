import { screen } from '../kernel/screen'

export const lottery = [
  screen('jygl/hgxq', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/zjtj', 'lotteryRecord', 'report', 'lotteryRecord.read', { built: true }),
  screen('jygl/hgsh', 'lotteryRecord', 'list', 'lotteryRecord.read', { built: true }),
  screen('yxch/djyz', 'lotteryRecord', 'form', 'lotteryRecord.claim', { built: true }),
]
