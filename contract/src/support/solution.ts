import { z } from 'zod'
import { alarmCauseNames } from '../alarm/states'
import { endpoint, zAnyOf, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const solutionRefusals = defineRefusals('support', {
  'solution.state': 409,
  'solution.said': 409,
  'solution.taken': 409,
})

/** How a fault of machines is solved: by its cause, and where it is told apart, by the machine's own code and model. */
export const solution = entity({
  domain: 'support',
  kind: 'solution',
  path: '/api/solutions',
  right: 'solution',
  owner: 'platform',
  editable: {
    name: zNeeded(80),
    cause: z.enum(alarmCauseNames),
    /** What the machine itself calls it; '' is any. */
    code: zLine(40).default(''),
    /** '' is any. */
    model: zLine(60).default(''),
    symptom: zLine(300).default(''),
    steps: zNeeded(4000),
  },
  details: ['steps'],
  facts: {
    /** How often it helped, once a person and case. */
    helped: z.int(),
    notHelped: z.int(),
  },
  show: {
    steps: { kind: 'longText' },
    symptom: { kind: 'longText' },
    code: { kind: 'code' },
    model: { kind: 'code' },
  },
  states: { table: onOff, tones: onOffTones, refusal: 'solution.state' },
  unique: { solution_name_key: 'solution.taken' },
  filters: {
    q: zSearch.optional(),
    cause: zAnyOf(alarmCauseNames).optional(),
    state: z.enum(onOff.states).optional(),
  },
  sorts: ['helped', 'name'],
})

export const listSolutions = solution.list('How faults are solved, by what helped most')
export const getSolution = solution.get('One solution with its steps', {})
export const addSolution = solution.add('Write down how a fault is solved')
export const editSolution = solution.edit('Change how a fault is solved')
export const stopSolution = solution.move('stop', 'Offer a solution no longer')
export const resumeSolution = solution.move('resume', 'Offer a stopped solution again')
export const removeSolution = solution.remove('Delete a solution of which nobody has said whether it helped')

const caseSolution = z.object({
  id: z.int(),
  name: z.string(),
  symptom: z.string(),
  steps: z.string(),
  helped: z.int(),
  notHelped: z.int(),
  /** What the caller has said of it here. */
  said: z.boolean().nullable(),
})
export type CaseSolution = z.output<typeof caseSolution>
export const caseKinds = ['alarm', 'repairOrder', 'feedback'] as const
export type CaseKind = (typeof caseKinds)[number]

/** Of each kind of case two calls: what is known for its fault, and whether it helped. */
const ofCase = (kind: CaseKind, path: string) => {
  const named = kind.charAt(0).toUpperCase() + kind.slice(1)
  const list = endpoint({
    name: `support.list${named}Solutions`,
    method: 'GET',
    path: `${path}/{id}/solutions`,
    access: 'solution.read',
    input: z.strictObject({ id: zId }),
    output: z.object({ items: z.array(caseSolution) }),
    refusals: ['request.notFound'],
    summary: `What is known for the fault of one ${kind}, the most special first, then what helped most`,
  })
  const judge = endpoint({
    name: `support.judge${named}Solution`,
    method: 'POST',
    path: `${path}/{id}/solutions/judge`,
    access: 'solution.read',
    writes: true,
    input: z.strictObject({ id: zId, solutionId: zId, helped: z.boolean() }),
    output: z.object({ helped: z.int(), notHelped: z.int() }),
    refusals: ['request.notFound', 'solution.said'],
    summary: `Say whether a solution helped in one ${kind}: once a person and case`,
  })
  return { list, judge }
}
const alarms = ofCase('alarm', '/api/alarms')
const repairOrders = ofCase('repairOrder', '/api/repair-orders')
const feedback = ofCase('feedback', '/api/feedback')
export const listAlarmSolutions = alarms.list
export const judgeAlarmSolution = alarms.judge
export const listRepairOrderSolutions = repairOrders.list
export const judgeRepairOrderSolution = repairOrders.judge
export const listFeedbackSolutions = feedback.list
export const judgeFeedbackSolution = feedback.judge
