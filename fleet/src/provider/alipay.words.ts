export type Said = Record<string, unknown>

export const OK = { code: '10000', msg: 'Success' }
export const no = (sub_code: string, code = '40004'): Said => ({
  code,
  msg: 'Business Failed',
  sub_code,
  sub_msg: sub_code,
})
