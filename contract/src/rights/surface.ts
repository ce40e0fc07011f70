/** Where roles count: in the back office, or in the application on the phone (specification §6). */
export const roleSurfaces = ['web', 'app'] as const
export type RoleSurface = (typeof roleSurfaces)[number]

/** Says which of them a call comes from; without it, the back office. */
export const SURFACE_HEADER = 'x-aisle-surface'
