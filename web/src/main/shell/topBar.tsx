import { screenOf } from '@aisle/contract/screens'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { BrandDialog, mayBrand } from '../../features/system/brandDialog'
import { can } from '../../live/session'
import { LanguageMenu, ThemeMenu } from '../../ui/control/choosers'
import { BrandMark } from '../../ui/brand/brandMark'
import { toggleFullscreen, useIsFullscreen } from '../../ui/control/fullscreen'
import { Icon } from '../../ui/icons'
import { MenuButton, type MenuEntry } from '../../ui/control/menuButton'
import { useText } from '../../ui/text'
import { manualAt } from '../manual/at'
import { Bell } from './bell'
import { FeedbackDialog } from './feedbackDialog'
import { ReviewBadge } from './reviewBadge'
import { whatIsSeen } from './seen'
import { clearBrowserCache, toolScreens } from './tools'
import styles from './topBar.module.css'
import { UserMenu } from './userMenu'
import { classes } from '../../ui/classes'

export function TopBar(props: { onMenu: () => void; menuLabel: string; onSearch: () => void }) {
  const t = useText('system')
  const { onMenu, menuLabel, onSearch } = props
  return (
    <header className={styles.bar}>
      <button type="button" className="icon-btn" aria-label={menuLabel} title={menuLabel} onClick={onMenu}>
        <Icon name="menu" size={18} />
      </button>
      <Link to="/dashboard" data-part="top-logo" className={styles.logo}>
        <BrandMark size={22} />
      </Link>
      <button type="button" className={styles.search} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <Icon name="search" />
        <span>{t('palette.open')}</span>
        <kbd>{/Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <div className={styles.tools}>
        <ReviewBadge />
        <Bell />
        <ToolsMenu />
        <FullscreenButton />
        <ThemeMenu />
        <LanguageMenu />
        <UserMenu />
      </div>
    </header>
  )
}

function FullscreenButton() {
  const t = useText('system')
  const isFull = useIsFullscreen()
  const label = isFull ? t('shell.fullscreenLeave') : t('shell.fullscreen')
  return (
    <button
      type="button"
      className={classes('icon-btn', styles.wide)}
      aria-label={label}
      title={label}
      onClick={() => void toggleFullscreen()}
    >
      <Icon name={isFull ? 'shrink' : 'expand'} />
    </button>
  )
}

function ToolsMenu() {
  const t = useText('system')
  const cancel = useText('kernel')('action.cancel')
  const navigate = useNavigate()
  const soon = t('shell.soon')
  /** Where the person is who gives feedback, and what they see there. */
  const [place, setPlace] = useState<{
    page: string
    seen: ReturnType<typeof whatIsSeen>
    tab: 'tell' | 'help'
  } | null>(null)
  const [brand, setBrand] = useState<'logo' | 'theme' | null>(null)
  const tellFrom = (tab: 'tell' | 'help') => setPlace({ page: location.pathname, seen: whatIsSeen(), tab })
  const screens: MenuEntry[] = toolScreens
    .map(({ label, key }) => ({ label, screen: screenOf(key) }))
    .filter(({ screen }) => can(screen.access))
    .map(({ label, screen }) => ({
      key: screen.key,
      label: t(label),
      ...(screen.built ? {} : { note: soon }),
      onPick: () => void navigate({ to: screen.path }),
    }))
  const brandEntries: MenuEntry[] = (['logo', 'theme'] as const).map((about) => ({
    key: about,
    label: t(`tool.${about}`),
    onPick: () => setBrand(about),
  }))
  const entries: MenuEntry[] = [
    {
      key: 'landing',
      label: t('shell.toLanding'),
      icon: <Icon name="back" />,
      onPick: () => void navigate({ to: '/database' }),
    },
    {
      key: 'cache',
      label: t('shell.clearCache'),
      icon: <Icon name="broom" />,
      onPick: () => void clearBrowserCache(t, cancel),
    },
    'line',
    ...screens,
    { key: 'help', label: t('tool.help'), onPick: () => tellFrom('help') },
    { key: 'feedback', label: t('tool.feedback'), onPick: () => tellFrom('tell') },
    ...(mayBrand() ? brandEntries : []),
    {
      key: 'manual',
      label: t('tool.manual'),
      // Beside the page that it is about, which stays as it is.
      onPick: () => void open(manualAt(location.pathname), '_blank'),
    },
  ]
  return (
    <>
      <MenuButton label={t('shell.tools')} face={<Icon name="grid" />} entries={entries} />
      {brand && <BrandDialog about={brand} onClose={() => setBrand(null)} />}
      {place && <FeedbackDialog place={place} begin={place.tab} onClose={() => setPlace(null)} />}
    </>
  )
}
