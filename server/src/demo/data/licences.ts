import type { LicenceKind } from '@aisle/contract/merchant/licence'
import type { MerchantSeed } from './merchants'

/** What a merchant has to have. */
export const kindsOf: Record<MerchantSeed['type'], readonly LicenceKind[]> = {
  platform: ['business'],
  ordinary: ['business', 'food_trade'],
  product: ['business', 'food_trade'],
  pharmaceutical: ['business', 'medicine_trade', 'gsp', 'medical_device', 'pharmacist_practice'],
}

export const issuers: Record<LicenceKind, string> = {
  business: '市场监督管理局',
  medicine_trade: '药品监督管理局',
  gsp: '药品监督管理局',
  food_trade: '市场监督管理局',
  medical_device: '药品监督管理局',
  doctor_practice: '卫生健康委员会',
  pharmacist_practice: '药品监督管理局',
  site_filing: '市场监督管理局',
}
export const prefixes: Record<LicenceKind, string> = {
  business: '91',
  medicine_trade: 'DA',
  gsp: 'GSP',
  food_trade: 'JY1',
  medical_device: 'YX',
  doctor_practice: 'YS',
  pharmacist_practice: 'ZY',
  site_filing: 'ZD',
}

/** Days left to some that tell a story; the others have months or years. */
export const remaining: Record<string, number> = {
  'EAST/food_trade': -4,
  'EASTRX/gsp': 21,
  'EASTRX/medicine_trade': 420,
  'EASTSTORE/food_trade': 6,
  'SOUTHRX/medical_device': 48,
  'NORTHRX/gsp': -33,
  'WESTRX/medicine_trade': 58,
}
/** Licences that were given back. */
export const revoked: Record<string, string> = { 'EASTRX/medical_device': '业务调整，已向监管部门交回备案凭证' }
