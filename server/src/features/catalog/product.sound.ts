import { pinyin } from 'pinyin-pro'

/** Whole pinyin and initials, so that `kele` and `kl` both find 可乐; ü is typed v, as `lvcha` for 绿茶. */
export const soundOf = (name: string): string => {
  const whole = pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
  const initials = pinyin(name, { toneType: 'none', pattern: 'first', type: 'array', nonZh: 'consecutive', v: true })
  return `${whole.join('')} ${initials.join('')}`.toLowerCase().slice(0, 400)
}
