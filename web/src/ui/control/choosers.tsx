import { languageNames, languages } from '@aisle/contract/kernel/text'
import { Icon, type IconName } from '../icons'
import { MenuButton } from './menuButton'
import { setTheme, type Theme, themes, useTheme } from '../prefs'
import { setLanguage, useLanguage, useText } from '../text'

/** Each language in its own name: who looks for it cannot read the others. */
export function LanguageMenu() {
  const t = useText('kernel')
  const current = useLanguage()
  return (
    <MenuButton
      label={t('language.label', { name: languageNames[current] })}
      face={
        <>
          <Icon name="globe" />
          <span data-part="chooser-word">{languageNames[current]}</span>
        </>
      }
      entries={languages.map((language) => ({
        key: language,
        label: <span lang={language}>{languageNames[language]}</span>,
        isCurrent: language === current,
        onPick: () => void setLanguage(language),
      }))}
    />
  )
}

const themeIcons: Record<Theme, IconName> = { light: 'sun', dark: 'moon', auto: 'contrast' }

export function ThemeMenu() {
  const t = useText('kernel')
  const current = useTheme()
  return (
    <MenuButton
      label={t('theme.label')}
      face={<Icon name={themeIcons[current]} />}
      entries={themes.map((theme) => ({
        key: theme,
        label: t(`theme.${theme}`),
        icon: <Icon name={themeIcons[theme]} />,
        isCurrent: theme === current,
        onPick: () => setTheme(theme),
      }))}
    />
  )
}
