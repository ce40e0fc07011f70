import type { Screen } from '@aisle/contract/kernel/screen'
import { groups, screenOf, screens, sections } from '@aisle/contract/screens'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { PageFailed } from './pageFailed'
import { pageFor } from './pages'
import { NotFound } from './notFound'
import { Root } from './root'
import { ScreenPage } from './screenPage'
import { Shell } from './shell/shell'
import { recordVisit } from './shell/visited'

/** Every route comes from the contract's screens; a page reads and writes its own part of the address. */
const rootRoute = createRootRoute({ component: Root })

const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const isStandalone = (screen: Screen) => screen.group === 'public'

const screenRoutes = screens
  .filter((screen) => !isStandalone(screen))
  .map((screen) =>
    createRoute({
      getParentRoute: () => shellRoute,
      path: screen.path,
      loader: () => pageFor(screen)?.preload(),
      component: () => <ScreenPage screen={screen} />,
    }),
  )

/** `/` and each group and section lead to their first child (spec §2.5). */
const redirects = [
  redirectTo('/', 'home/dashboard'),
  ...Object.entries(groups).map(([group, first]) => redirectTo(`/${group}`, first)),
  ...[...sections].map(([path, first]) => redirectTo(path, first.key)),
]

function redirectTo(path: string, key: string) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to: screenOf(key).path, replace: true })
    },
  })
}

/** Outside the shell: the landing page here, sign-in and wallboard as applications of their own (see entry). */
const standalone = screens.filter(isStandalone).map((screen) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: screen.path,
    loader: ({ location: { href } }) => {
      if (screen.access === 'public') return location.replace(href)
      return pageFor(screen)?.preload()
    },
    component: () => (screen.access === 'public' ? null : <ScreenPage screen={screen} />),
  }),
)

const manualRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/manual',
  component: lazyRouteComponent(() => import('./manual/manual'), 'Manual'),
})

const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound })

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...redirects,
    ...standalone,
    shellRoute.addChildren([...screenRoutes, manualRoute, unknownRoute]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  /** The page scrolls within the shell, see shell/pageScroll; asking the window lays every new page out once more. */
  scrollRestoration: () => false,
  /** Plain text in, plain text out: an order number of 20 digits must not become a rounded number. */
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
    const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    return query && `?${query}`
  },
})

router.subscribe('onResolved', ({ toLocation }) => recordVisit(toLocation.pathname, toLocation.href))
