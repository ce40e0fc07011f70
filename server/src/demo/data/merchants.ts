export type RegionKey = 'east' | 'south' | 'north' | 'west'

export type MerchantSeed = {
  code: string
  parent: string | null
  name: string
  type: 'platform' | 'ordinary' | 'product' | 'pharmaceutical'
  collectsPayment?: true
  hasHighGo?: true
}

export const PLATFORM = 'AISLE'
/** Where the demo accounts other than `admin` work. */
export const DEMO_OPERATOR = 'EAST'

/** All invented; parents before children. */
export const merchants: readonly MerchantSeed[] = [
  { code: PLATFORM, parent: null, name: '穿堂智能零售平台', type: 'platform' },
  { code: 'EAST', parent: PLATFORM, name: '江南云柜智能科技有限公司', type: 'ordinary', hasHighGo: true },
  { code: 'SOUTH', parent: PLATFORM, name: '岭海智柜运营有限公司', type: 'ordinary' },
  { code: 'NORTH', parent: PLATFORM, name: '北原智柜服务有限公司', type: 'ordinary' },
  { code: 'WEST', parent: PLATFORM, name: '西岭随手购商贸有限公司', type: 'ordinary' },
  { code: 'EASTRX', parent: 'EAST', name: '江南禾康大药房连锁有限公司', type: 'pharmaceutical' },
  { code: 'EASTSTORE', parent: 'EAST', name: '弄堂口便利连锁有限公司', type: 'product', hasHighGo: true },
  { code: 'SOUTHRX', parent: 'SOUTH', name: '岭海杏林药业连锁有限公司', type: 'pharmaceutical' },
  // Has its own contracts with the payment channels: the platform never holds its money.
  { code: 'SOUTHSTORE', parent: 'SOUTH', name: '骑楼里便利店有限公司', type: 'product', collectsPayment: true },
  { code: 'NORTHRX', parent: 'NORTH', name: '北原同宁医药有限公司', type: 'pharmaceutical' },
  { code: 'NORTHSTORE', parent: 'NORTH', name: '胡同口便利连锁有限公司', type: 'product' },
  { code: 'WESTRX', parent: 'WEST', name: '西岭安和大药房有限公司', type: 'pharmaceutical' },
  { code: 'WESTSTORE', parent: 'WEST', name: '巷子头便利连锁有限公司', type: 'product' },
]

export type Trade = 'operator' | 'pharmacy' | 'store'

const owners: Record<RegionKey, Record<Trade, string>> = {
  east: { operator: 'EAST', pharmacy: 'EASTRX', store: 'EASTSTORE' },
  south: { operator: 'SOUTH', pharmacy: 'SOUTHRX', store: 'SOUTHSTORE' },
  north: { operator: 'NORTH', pharmacy: 'NORTHRX', store: 'NORTHSTORE' },
  west: { operator: 'WEST', pharmacy: 'WESTRX', store: 'WESTSTORE' },
}

/** Medicine belongs to the region's pharmacy, machines in shops to its chain, the rest to the operator. */
export const ownerOf = (region: RegionKey, trade: Trade): string => owners[region][trade]
