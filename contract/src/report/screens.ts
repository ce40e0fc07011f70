import { screen } from '../kernel/screen'

export const report = [
  screen('home/syzfqq', 'order', 'report', 'report.read', { built: true }),
  screen('home/syspxlpm', 'product', 'report', 'report.read', { built: true }),
  screen('home/syjqpm', 'machine', 'report', 'report.read', { built: true }),
  screen('home/syyyxlpm', 'user', 'report', 'report.read', { built: true }),
  screen('jygl/gk', 'order', 'dashboard', 'order.read', { built: true }),
  screen('jygl/jyhz', 'order', 'report', 'order.read', { built: true }),
  screen('jygl/sjhz', 'order', 'report', 'order.read', { built: true }),
  screen('jygl/sptj', 'product', 'report', 'product.read', { built: true }),
  screen('jygl/ypxstj', 'medicine', 'report', 'medicine.read', { built: true }),
  screen('jygl/ywlxtj', 'order', 'report', 'order.read', { built: true }),
  screen('tjfx/jqjytj', 'machine', 'report', 'report.read', { built: true }),
  screen('tjfx/spjytj', 'product', 'report', 'report.read', { built: true }),
  screen('tjfx/zfjstj', 'settlement', 'report', 'report.read', { built: true }),
  screen('tjfx/bbdc', 'reportRequest', 'list', 'report.read', { built: true }),
  screen('tjfx/dwjytj', 'point', 'report', 'report.read', { built: true }),
  screen('tjfx/shzftj', 'merchant', 'report', 'report.read', { built: true }),
  screen('tjfx/cgtj', 'purchaseOrder', 'report', 'report.read', { built: true }),
  screen('tjfx/yyjytj', 'hospital', 'report', 'report.read', { built: true }),
  screen('tjfx/yhqtj', 'coupon', 'report', 'report.read', { built: true }),
  screen('xtgl/jxkp', 'user', 'report', 'user.read', { built: true }),
]
