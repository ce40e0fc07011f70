import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTopic } from '../../live/topics'
import { useIsPhone } from '../../ui/narrow'
import { useText } from '../../ui/text'
import { Crumbs } from './crumbs'
import { useFollowedRights } from './followRights'
import { usePageScroll } from './pageScroll'
import { Palette } from './palette'
import { Resume } from './resume'
import styles from './shell.module.css'
import { SideDrawer } from './sideDrawer'
import { SideMenu } from './sideMenu'
import { TopBar } from './topBar'
import { ViewingBanner } from './viewingBanner'
import { VisitedTabs } from './visitedTabs'
import { classes } from '../../ui/classes'

const FOLDED = 'aisle.menuFolded'

/** What stands around every page: menu, top bar, visited pages, where we are. */
export function Shell() {
  const t = useText('system')
  const isPhone = useIsPhone()
  const { history } = useRouter()
  const page = useRef<HTMLDivElement>(null)
  const [isFolded, setFolded] = useState(sessionStorage.getItem(FOLDED) === '1')
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const [isSearching, setSearching] = useState(false)
  // Being subscribed keeps the socket open, and the end of the session is asked about wherever one is.
  useTopic('session', () => undefined)
  useFollowedRights()
  usePageScroll(page)
  useSearchKey(() => setSearching(true))

  const fold = () => {
    sessionStorage.setItem(FOLDED, isFolded ? '0' : '1')
    setFolded(!isFolded)
  }
  const menuLabel = isPhone ? 'shell.menuOpen' : isFolded ? 'shell.menuUnfold' : 'shell.menuFold'
  return (
    <div data-part="shell" className={isFolded ? classes(styles.shell, styles.folded) : styles.shell}>
      <a className={styles.skipLink} href="#content">
        {t('shell.skip')}
      </a>
      <TopBar
        menuLabel={t(menuLabel)}
        onMenu={isPhone ? () => setDrawerAt(history.location.pathname) : fold}
        onSearch={() => setSearching(true)}
      />
      {!isPhone && !isFolded && <SideMenu />}
      {isPhone && drawerAt && <DrawerAt path={drawerAt} onClose={() => setDrawerAt(null)} />}
      <div data-part="shell-page" className={styles.page} ref={page}>
        <ViewingBanner />
        {!isPhone && <VisitedTabs />}
        <Resume />
        <Crumbs />
        <main id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {isSearching && <Palette onClose={() => setSearching(false)} />}
    </div>
  )
}

/** A drawer belongs to the page that it was opened on: going to another one closes it. */
function DrawerAt({ path, onClose }: { path: string; onClose: () => void }) {
  const { pathname } = useLocation()
  return path === pathname && <SideDrawer onClose={onClose} />
}

function useSearchKey(open: () => void): void {
  const onOpen = useEffectEvent(open)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      onOpen()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
