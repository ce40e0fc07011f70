export type Json = Record<string, unknown>
export type Said = { status: number; body?: Json; file?: Buffer }

export const no = (status: number, code: string, message = code): Said => ({ status, body: { code, message } })
