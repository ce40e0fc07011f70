import { numberFormat } from './formatters'

export const languages = ['zh', 'en', 'fr', 'ko'] as const
export type Language = (typeof languages)[number]

export const languageNames: Record<Language, string> = { zh: '中文', en: 'English', fr: 'Français', ko: '한국어' }
/** BCP 47 tags for `Intl` and `<html lang>`. */
export const locales: Record<Language, string> = { zh: 'zh-CN', en: 'en-GB', fr: 'fr-FR', ko: 'ko-KR' }

export const isLanguage = (text: unknown): text is Language => languages.includes(text as Language)

/** The language asked for (`language` field, `Accept-Language`), else Chinese (spec §1). */
export function languageFrom(...wishes: readonly (string | undefined)[]): Language {
  for (const wish of wishes) {
    if (!wish) continue
    for (const part of wish.split(',')) {
      const tag = part.trim().slice(0, 2).toLowerCase()
      if (isLanguage(tag)) return tag
    }
  }
  return 'zh'
}

/** How i18next is set up on both sides: flat keys, one namespace a domain, nothing escaped (React and JSON escape). */
export const i18nextOptions = {
  keySeparator: false,
  nsSeparator: false,
  fallbackLng: false,
  interpolation: { escapeValue: false },
  returnNull: false,
} as const

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** Money as a person reads it: yuan with two decimals in every language (a locale must not change ¥ to €). */
export function moneyText(amountFen: number, language: Language): string {
  const value = numberFormat(locales[language], twoDecimals)
  return `${amountFen < 0 ? '−' : ''}¥${value.format(Math.abs(amountFen) / 100)}`
}
