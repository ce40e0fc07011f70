import type { PaymentMethod } from '@aisle/contract/trade/states'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { seedOf } from '../random'

const dateOf = (ms: number) => businessTime(new Date(ms), PLATFORM_TIME_ZONE).day.replaceAll('-', '')
const digitsOf = (about: string) =>
  String(seedOf(about)).padStart(10, '0') + String(seedOf(`/${about}`) % 100_000).padStart(5, '0')

/** As long as the channels' own numbers, with the day where they carry it; the same at every telling. */
export const channelNoOf = (method: PaymentMethod, about: string, ms: number): string =>
  method === 'wechat' ? `42000${dateOf(ms)}${digitsOf(about)}` : `${dateOf(ms)}2200${digitsOf(about)}`

export const refundNoOf = (about: string, ms: number): string => `5030${dateOf(ms)}${digitsOf(about)}`
