import { z } from 'zod'
import { endpoint, zId, zNeeded } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'

/** Where members belong: the customers' own school or company, not the merchant's units of staff. */
export const memberUnitKinds = ['school', 'grade', 'class', 'company', 'department', 'other'] as const

export const unitRefusals = defineRefusals('member', { 'memberUnit.nameTaken': 409, 'memberUnit.below': 422 })

type UnitKind = (typeof memberUnitKinds)[number]

const standsIn: Record<UnitKind, readonly (UnitKind | null)[]> = {
  school: [null],
  company: [null],
  grade: ['school'],
  class: ['school', 'grade'],
  department: ['school', 'company'],
  other: [null, 'school', 'company'],
}

/** A grade stands in a school and a class in either; so no way down has more than three names. */
export const mayStandIn = (kind: UnitKind, parent: UnitKind | null): boolean => standsIn[kind].includes(parent)

export const memberUnit = entity({
  domain: 'member',
  kind: 'memberUnit',
  path: '/api/member-units',
  right: 'member',
  owner: 'merchant',
  fixed: { parentId: zId.nullable().default(null), kind: z.enum(memberUnitKinds) },
  editable: { name: zNeeded(40) },
  facts: { memberCount: z.int() },
  show: { kind: { kind: 'state', words: 'unitKind', tones: {} } },
  unique: { member_unit_name: 'memberUnit.nameTaken' },
  filters: {},
  sorts: ['name'],
})

export const getMemberUnit = memberUnit.get('One school, class or company with how many members belong to it', {})
export const addMemberUnit = memberUnit.add('Add a school, grade, class, company or department', ['memberUnit.below'])
export const editMemberUnit = memberUnit.edit('Rename where members belong')
export const removeMemberUnit = memberUnit.remove('Delete one that holds neither others nor members')

const branch = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  parentId: z.int().nullable(),
  kind: z.enum(memberUnitKinds),
  name: z.string(),
  version: z.int(),
  /** Of all that belong to it and to those below. */
  memberCount: z.int(),
  cardCount: z.int(),
})
export type UnitBranch = z.output<typeof branch>

/** Small by nature, so all of it comes at once; parents before their children. */
export const listMemberUnits = endpoint({
  name: 'member.listMemberUnits',
  method: 'GET',
  path: '/api/member-unit-trees',
  access: 'member.read',
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({ items: z.array(branch) }),
  summary: 'Schools, grades, classes and companies of the merchants in sight as a tree, with their members',
})
