import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/words.css'
import { callFromApp } from '../live/call'
import { CallFailure } from '../live/failure'
import { now } from '../live/clock'
import {
  currentSession,
  endSession,
  type LoginPath,
  loginPaths,
  rememberedLoginPath,
  rememberLoginPath,
  storedToken,
  wantPath,
} from '../live/session'
import { followWords, showEntranceBrand } from '../live/words'
import { Notices } from '../ui/feedback/notices'
import '../ui/prefs'
import { loadTexts, type Namespace, setLanguage } from '../ui/text'
import { StartFailed } from './startFailed'

/**
 * Four applications behind one page: the sign-in, the wallboard and the field are small and come alone; everything else
 * is the shell with its router. Which one, the path decides (spec §2.1).
 */
const boardPaths = ['/databases', '/databaseszd']
/** Printed once, on a first start without users. */
const FIRST_ADMIN = '/first-admin'
/** Of who fills machines: it begins without a session or a network, with what the phone has kept. */
const FIELD = '/field'
/** These sign in by themselves, whoever is signed in before. */
const handOverPaths: readonly LoginPath[] = ['/ssologin', '/loginSilent']
const RELOADED_AT = 'aisle.reloadedAt'
const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
const root = createRoot(container)

const show = (stage: React.ReactNode) =>
  root.render(
    <StrictMode>
      {stage}
      <Notices />
    </StrictMode>,
  )

async function start(): Promise<void> {
  const { pathname } = location
  const entrance = loginPaths.find((path) => path === pathname)
  if (entrance) return startLogin(entrance)
  if (boardPaths.includes(pathname)) return startBoard()
  if (pathname === FIRST_ADMIN) return startFirstAdmin()
  if (pathname === FIELD) return startField()
  if (storedToken()) return startShell()
  wantPath(pathname + location.search)
  history.replaceState(null, '', rememberedLoginPath())
  return startLogin(rememberedLoginPath())
}

const openIn: Partial<Record<LoginPath, 'en' | 'fr'>> = { '/loginAme': 'en', '/loginFr': 'fr' }

async function startLogin(path: LoginPath): Promise<void> {
  const isNewEntrance = rememberLoginPath(path)
  void showEntranceBrand(location.pathname)
  if (storedToken() && !handOverPaths.includes(path)) return leaveFirst()
  const language = openIn[path]
  if (isNewEntrance && language) await setLanguage(language)
  const [{ default: LoginPage }] = await Promise.all([
    import('../features/identity/signIn/login.user'),
    texts(['identity']),
  ])
  show(<LoginPage path={path} onTry={warmShell} onSignedIn={go} />)
}

async function startFirstAdmin(): Promise<void> {
  const [{ FirstAdminPage }] = await Promise.all([
    import('../features/identity/signIn/firstAdmin'),
    texts(['identity']),
  ])
  show(<FirstAdminPage onMade={() => go('/login')} />)
}

/** Whoever opens the sign-in while signed in is signed out and sent to / (spec §2.1), which leads back here. */
async function leaveFirst(): Promise<void> {
  const { signOut } = await import('../live/session.calls')
  await signOut().catch(() => undefined)
  go('/')
}

async function startBoard(): Promise<void> {
  const [{ default: Board }] = await Promise.all([
    import('../features/wallboard/databases.board'),
    texts(['wallboard']),
  ])
  show(<Board />)
}

async function startField(): Promise<void> {
  callFromApp()
  const [{ FieldApp }] = await Promise.all([import('../features/field/phone/fieldApp'), texts(['field', 'admin'])])
  show(<FieldApp onSignIn={() => void signInToField()} />)
}

/** The address stays, so that the day is sent as soon as the person is known again. */
async function signInToField(): Promise<void> {
  endSession()
  const [{ default: LoginPage }] = await Promise.all([
    import('../features/identity/signIn/login.user'),
    texts(['identity']),
  ])
  show(<LoginPage path={rememberedLoginPath()} onTry={() => undefined} onSignedIn={() => void startField()} />)
}

const loadShell = () => Promise.all([import('./app'), texts(['screens', 'system', 'rights'])])

/** Fetched while the password is proved; what does not come now is fetched again when it is needed. */
const warmShell = () => void loadShell().catch(() => undefined)

async function startShell(): Promise<void> {
  const { loadUser } = await import('../live/session.calls')
  try {
    const [[{ App }]] = await Promise.all([loadShell(), loadUser()])
    if (currentSession()?.info?.mustChangePassword) return await startMustChange()
    show(<App />)
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    const hasEnded = failure.status === 401 || !currentSession()
    if (!hasEnded) return show(<StartFailed failure={failure} />)
    endSession()
    await start()
  }
}

/** A password that somebody else has seen opens nothing but its own change; the server answers nothing else. */
async function startMustChange(): Promise<void> {
  const [{ MustChangePage }] = await Promise.all([
    import('../features/identity/password/mustChange'),
    texts(['identity']),
  ])
  show(<MustChangePage onLeave={() => void leaveFirst()} />)
}

const texts = (namespaces: Namespace[]) => loadTexts(['kernel', ...namespaces])

function go(path: string): void {
  history.replaceState(null, '', path)
  void start()
}

/**
 * After a new version was installed the old file names are gone; loading the page again brings the new ones. Without
 * an answer it would bring the browser's own error page, and what was typed would be lost.
 */
addEventListener('vite:preloadError', () => void reloadIfServed())

async function reloadIfServed(): Promise<void> {
  const isJustReloaded = now() - Number(sessionStorage.getItem(RELOADED_AT)) < 60_000
  if (isJustReloaded) return
  const page = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (!page?.ok) return
  sessionStorage.setItem(RELOADED_AT, String(now()))
  location.reload()
}

followWords()
void start()
