import type { CallOf } from '@aisle/contract/kernel/endpoint'
import type { Channel } from '@aisle/contract/notice/messageType'
import type { addNotification } from '@aisle/contract/notice/notice'
import type { Faults } from './faults'

/** A notice while it is written. */
export type Draft = {
  title: string
  body: string
  translations: Record<'en' | 'fr' | 'ko', { title: string; body: string }>
  typeId: number
  channels: Channel[]
  target: 'all' | 'merchants' | 'roles'
  merchantCodes: string
  withChildren: boolean
  roleIds: number[]
  send: 'now' | 'later' | 'draft'
  /** As the browser's own field has it, in the person's time. */
  /** ISO in UTC. */
  sendAt: string
}

export type DraftPart = { draft: Draft; change: (part: Partial<Draft>) => void; faults: Faults }

const none = { title: '', body: '' }
export const emptyDraft = (typeId: number): Draft => ({
  title: '',
  body: '',
  translations: { en: none, fr: none, ko: none },
  typeId,
  channels: ['web'],
  target: 'merchants',
  merchantCodes: '',
  withChildren: false,
  roleIds: [],
  send: 'now',
  sendAt: '',
})

/** What the call takes: languages that nobody wrote are left out, and so is what the target does not use. */
export function inputOf(written: Draft): CallOf<typeof addNotification> {
  const { translations, sendAt, merchantCodes, roleIds, ...draft } = written
  const others = Object.entries(translations).filter(([, words]) => words.title.trim() || words.body.trim())
  return {
    ...draft,
    translations: Object.fromEntries(others),
    merchantCodes: draft.target === 'merchants' ? merchantCodes : '',
    roleIds: draft.target === 'roles' ? roleIds : [],
    ...(draft.send === 'later' && sendAt ? { sendAt } : {}),
  }
}
