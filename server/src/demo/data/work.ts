/** What breaks, how it is mended, and with what. */
export const repairJobs = [
  { problem: '货道卡货，弹簧变形', solution: '更换弹簧并重新摆放商品', part: '弹簧 6 圈', costFen: 1_800 },
  { problem: '光幕误报，出货判为失败', solution: '清洁并校正光幕', part: '光幕组件', costFen: 12_600 },
  { problem: '触摸屏局部失灵', solution: '更换触摸屏', part: '触摸屏 21.5 寸', costFen: 46_000 },
  { problem: '制冷不足', solution: '清洗冷凝器，补充制冷剂', part: '制冷剂 R290', costFen: 6_500 },
  { problem: '纸币器拒收', solution: '清洁识别头，更换皮带', part: '纸币器皮带', costFen: 2_400 },
] as const

/** How far each has come, and when it was asked for. */
export const repairOrders = [
  { job: 0, daysAgo: 9, until: 'closed' },
  { job: 1, daysAgo: 7, until: 'closed' },
  { job: 3, daysAgo: 5, until: 'closed' },
  { job: 4, daysAgo: 4, until: 'done' },
  { job: 2, daysAgo: 3, until: 'started' },
  { job: 0, daysAgo: 2, until: 'started' },
  { job: 1, daysAgo: 1, until: 'assigned' },
  { job: 3, daysAgo: 6, until: 'assigned' },
  { job: 4, daysAgo: 0, until: 'open' },
  { job: 2, daysAgo: 4, until: 'cancelled' },
] as const

/** What machines say of themselves, and when it is over. */
export const troubles = [
  {
    type: 'door',
    data: { door: 'main', state: 'opened', by: 'unknown' },
    hoursAgo: 90,
    note: '现场查看，补货员忘记锁门',
  },
  { type: 'door', data: { door: 'main', state: 'opened', by: 'unknown' }, hoursAgo: 52, note: '监控确认为维保人员' },
  { type: 'door', data: { door: 'main', state: 'opened', by: 'unknown' }, hoursAgo: 6, note: null },
  { type: 'heartbeat', data: { uptime: 86_400, faults: ['E03'] }, hoursAgo: 61, note: null },
  { type: 'heartbeat', data: { uptime: 52_000, faults: ['E21'] }, hoursAgo: 34, note: null },
  { type: 'alarm.raised', data: { code: 'FAN_SLOW', level: 'warning', value: 640 }, hoursAgo: 28, note: null },
  { type: 'alarm.raised', data: { code: 'FAN_SLOW', level: 'warning', value: 590 }, hoursAgo: 7, note: null },
] as const

/** What was let out from afar in vain, and what the machine answered, if it did. */
export const letOuts = [
  { reason: '顾客反映扫码后屏幕黑屏', answer: { state: 'refused', detail: 'busy' } },
  { reason: '换货：包装破损', answer: null },
  { reason: '顾客投诉，主管同意赠送', answer: { state: 'failed', detail: 'interrupted' } },
] as const

/** What a machine checks itself, and of it what wears. */
export const parts = [
  'main_board',
  'driver_board',
  'light_curtain',
  'door_sensor',
  'temperature_sensor',
  'card_reader',
] as const
export const wearing = ['light_curtain', 'printer', 'coin_acceptor', 'door_sensor', 'card_reader'] as const

export const packages = [
  { version: '3.8.2', notes: '修复光幕误报；缩短出货等待', daysAgo: 6 },
  { version: '3.9.0', notes: '新的支付界面，支持远程拍照', daysAgo: 1 },
] as const

/** How far each box has come, and by how much its count is off. */
export const cashBoxes = [
  { hoursAgo: 20, isCounted: true, offFen: 0, accepted: '' },
  { hoursAgo: 19, isCounted: true, offFen: 50, accepted: '' },
  { hoursAgo: 18, isCounted: true, offFen: -3_000, accepted: '纸币卡在验钞器，已随修理取出' },
  { hoursAgo: 5, isCounted: true, offFen: -2_000, accepted: '' },
  { hoursAgo: 3, isCounted: false, offFen: 0, accepted: '' },
]
