import { useState } from 'react'
import { type DateRange, DayPicker } from 'react-day-picker'
import { enGB } from 'react-day-picker/locale/en-GB'
import { fr } from 'react-day-picker/locale/fr'
import { ko } from 'react-day-picker/locale/ko'
import { zhCN } from 'react-day-picker/locale/zh-CN'
import 'react-day-picker/style.css'
import { useLanguage } from '../text'
import styles from './calendar.module.css'
import { dateOf, dayOfDate } from './day.rules'

const inLanguage = { zh: zhCN, en: enGB, fr, ko }

export type Bounds = { min?: string | undefined; max?: string | undefined }
type Picking = Bounds & { from: string; to: string; isPeriod: boolean; onPick: (from: string, to: string) => void }

/** Loaded when it is opened. Of a period, the first press says where it begins or ends, the second the other end. */
export function Calendar({ from, to, min, max, isPeriod, onPick }: Picking) {
  const [first, setFirst] = useState<Date>()
  const shown = dateOf(to) ?? dateOf(from)
  const press = (date: Date) => {
    if (isPeriod && !first) return setFirst(date)
    const days = [first ?? date, date].map(dayOfDate).sort()
    onPick(days[0] ?? '', days[1] ?? '')
  }
  const period: DateRange = first ? { from: first, to: first } : { from: dateOf(from), to: dateOf(to) }
  const shared = {
    locale: inLanguage[useLanguage()],
    weekStartsOn: 1 as const,
    captionLayout: 'dropdown' as const,
    className: styles.calendar,
    autoFocus: true,
    showOutsideDays: true,
    fixedWeeks: true,
    defaultMonth: shown,
    startMonth: dateOf(min ?? '') ?? new Date(1900, 0),
    endMonth: dateOf(max ?? '') ?? new Date(2099, 11),
    disabled: [
      ...(min ? [{ before: new Date(`${min}T00:00`) }] : []),
      ...(max ? [{ after: new Date(`${max}T00:00`) }] : []),
    ],
  }
  return isPeriod ? (
    <DayPicker {...shared} mode="range" selected={period} onSelect={(_, date) => press(date)} />
  ) : (
    <DayPicker {...shared} mode="single" selected={dateOf(from)} onSelect={(_, date) => press(date)} />
  )
}
