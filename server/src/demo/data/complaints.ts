const waits = { isFailed: false, language: 'zh', phone: '', answer: '', isOver: false, word: '' } as const

/** What customers say who stand before a machine, of the newest orders that went wrong and of others. */
export const stories = [
  { ...waits, isFailed: true, kind: 'nothing', body: '弹簧转了，东西没掉下来。', phone: '13800138021' },
  { ...waits, isFailed: true, kind: 'stuck', body: 'It hangs on the spiral.', language: 'en' },
  { ...waits, kind: 'wrong', body: '要的是无糖的，出来的是原味。', answer: '抱歉，货道放错了，已请补货员当天更换。' },
  { ...waits, kind: 'other', body: '屏幕太暗，看不清价格。', answer: '谢谢，已调亮。', isOver: true },
  {
    ...waits,
    kind: 'twice',
    body: '好像扣了两次。',
    phone: '13800138022',
    answer: '请看付款记录。',
    word: '确实是两笔。',
  },
  { ...waits, kind: 'nothing', body: "J'ai payé et rien n'est sorti.", language: 'fr' },
] as const

export const refundReasons = [
  '顾客投诉商品破损',
  '买错商品，顾客要求退款',
  '顾客反映临近保质期',
  '重复付款',
  '包装渗漏',
]

/** What customers say whose prize did not fall. */
export const claimNotes = [
  '奖品卡在出货口上方，顾客现场拍照。',
  '电机转动但未掉落，顾客出示付款记录。',
  '顾客次日持付款截图到服务台领取。',
  '弹簧末端未推出，补货员已取出原件。',
]
