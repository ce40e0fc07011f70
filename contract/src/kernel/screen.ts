import type { Access } from './endpoint'

export type ScreenShape = 'list' | 'form' | 'report' | 'detail' | 'dashboard' | 'board' | 'container'

export type Screen = {
  /** `group/code`, also the key of its title and purpose. */
  key: string
  group: string
  code: string
  path: string
  noun: string
  shape: ScreenShape
  access: Access
  built: boolean
}

const isRootGroup = (group: string) => group === 'public' || group === 'home'

export function screen(
  key: string,
  noun: string,
  shape: ScreenShape,
  access: Access,
  more: { path?: string; built?: boolean } = {},
): Screen {
  const [group = '', code = ''] = key.split('/')
  const path = more.path ?? (isRootGroup(group) ? `/${code}` : `/${key}`)
  return { key, group, code, path, noun, shape, access, built: more.built ?? false }
}
