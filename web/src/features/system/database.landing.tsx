import { createTicket, listOtherSystems, type OtherSystem } from '@aisle/contract/identity/sso'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../live/call'
import { useEndpoint } from '../../live/query'
import { toLogin, useSession } from '../../live/session'
import { reloadMenus, signOut } from '../../live/session.calls'
import { LanguageMenu, ThemeMenu } from '../../ui/control/choosers'
import { Icon } from '../../ui/icons'
import { Logo } from '../../ui/brand/logo'
import { toast } from '../../ui/feedback/notice'
import { type TextKey, useText } from '../../ui/text'
import { type Art, TileArt } from './tileArt'
import styles from './landing.module.css'
import { classes } from '../../ui/classes'

/** The eight tiles of specification 2.3. The six other systems have no address until an administrator gives one. */
const others = {
  lease: 'financeLease',
  inspection: 'inspection',
  factory: 'factoryTest',
  afterSales: 'afterSales',
  announcement: 'announcement',
  configuration: 'configuration',
} as const satisfies Partial<Record<Art, OtherSystem>>
type OtherArt = keyof typeof others
const otherArts = Object.keys(others) as OtherArt[]

export default function LandingPage() {
  const t = useText('system')
  const session = useSession()
  const name = session?.info?.displayName || session?.accountname || ''
  return (
    <div className={styles.landing}>
      <header className={styles.top}>
        <p className={styles.logo}>
          <Logo size={26} /> <b>Aisle</b>
        </p>
        <ThemeMenu />
        <LanguageMenu />
        <button type="button" className="icon-btn" onClick={() => void leave()}>
          <Icon name="exit" />
          <span data-part="chooser-word">{t('shell.signOut')}</span>
        </button>
      </header>
      <main className={styles.main}>
        <p className={styles.hello}>{t('landing.hello', { name })}</p>
        <h1>{t('landing.title')}</h1>
        <OwnSystems />
        <OtherSystems />
      </main>
    </div>
  )
}

function OwnSystems() {
  const navigate = useNavigate()
  const [isOpening, setOpening] = useState(false)
  /** Fetches what the person may use again, then opens it (spec §2.3). A failure was already told as a toast. */
  const openShop = async () => {
    if (isOpening) return
    setOpening(true)
    try {
      await reloadMenus()
      await navigate({ to: '/dashboard' })
    } catch {
      setOpening(false)
    }
  }
  return (
    <div className={styles.own}>
      <button
        type="button"
        className={classes(styles.tile, styles.shop)}
        aria-busy={isOpening}
        onClick={() => void openShop()}
      >
        <TileArt art="shop" />
        <TileWords art="shop" />
      </button>
      <a className={classes(styles.tile, styles.data)} href="/databases">
        <TileArt art="bigData" />
        <TileWords art="bigData" />
      </a>
    </div>
  )
}

/** Opened with a ticket in the address, never with the session key (specification 2.3). */
function OtherSystems() {
  const t = useText('system')
  const { data, isError } = useEndpoint(listOtherSystems, {}, { errors: 'silent' })
  const configured = new Set(data?.items.filter(({ isConfigured }) => isConfigured).map(({ system }) => system))
  // Where that is not known a tile is tried, and says itself what is in the way.
  const closed = isError ? [] : otherArts.filter((art) => !configured.has(others[art]))
  return (
    <section aria-labelledby="landing-others">
      <h2 id="landing-others">{t('landing.others')}</h2>
      {closed.length > 0 && (
        <p className={styles.reason} id="landing-reason">
          {t('landing.othersReason')}
        </p>
      )}
      <ul className={styles.others}>
        {otherArts.map((art) => (
          <li key={art}>{closed.includes(art) ? <ClosedTile art={art} /> : <OpenTile art={art} />}</li>
        ))}
      </ul>
    </section>
  )
}

function OpenTile({ art }: { art: OtherArt }) {
  const t = useText('system')
  /** The tab first: a browser opens none for an answer that comes later. A failure was already told as a toast. */
  const enter = async () => {
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    try {
      const { address } = await call(createTicket, { system: others[art] })
      if (tab) tab.location.href = address
      else location.assign(address)
    } catch {
      tab?.close()
    }
  }
  return (
    <button type="button" className={styles.tile} onClick={() => void enter()}>
      <TileArt art={art} />
      <TileWords art={art} />
      <span className="hidden-text">{t('landing.enter')}</span>
    </button>
  )
}

function ClosedTile({ art }: { art: OtherArt }) {
  const t = useText('system')
  return (
    <button
      type="button"
      className={classes(styles.tile, styles.closed)}
      aria-disabled="true"
      aria-describedby="landing-reason"
      onClick={() => toast('info', t('landing.othersReason'))}
    >
      <TileArt art={art} />
      <TileWords art={art} />
      <span className={styles.lock}>
        <Icon name="lock" size={12} /> {t('landing.notConfigured')}
      </span>
    </button>
  )
}

function TileWords({ art }: { art: Art }) {
  const t = useText('system')
  const note: TextKey<'system'> = `landing.${art}.note`
  return (
    <span className={styles.words}>
      <b>{t(`landing.${art}`)}</b>
      <small>{t(note)}</small>
    </span>
  )
}

async function leave(): Promise<void> {
  await signOut().catch(() => undefined)
  toLogin()
}
