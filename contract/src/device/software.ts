import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { machineFilter } from './batch'
import { zReason } from './sendable'

/** `stopped`: by itself, since too many machines failed. A person may go on all the same, or roll back. */
export const rolloutState = stateTable({
  initial: 'running',
  states: ['running', 'paused', 'stopped', 'done', 'rolled_back'],
  moves: {
    pause: { from: ['running'], to: 'paused' },
    resume: { from: ['paused', 'stopped'], to: 'running' },
    stop: { from: ['running'], to: 'stopped' },
    finish: { from: ['running'], to: 'done' },
    rollBack: { from: ['running', 'paused', 'stopped', 'done'], to: 'rolled_back' },
  },
  sets: { underWay: ['running', 'paused'], over: ['done', 'rolled_back'] },
})
export type RolloutState = (typeof rolloutState.states)[number]

export const softwareRefusals = defineRefusals('device', {
  'software.versionTaken': 409,
  'software.waves': 422,
  'software.nobody': 422,
  'software.changed': 409,
  'software.state': 409,
  'software.busy': 409,
  /** Some of its machines are out of the caller's sight. */
  'software.unseen': 403,
})

const appPackage = z.object({
  id: z.int(),
  version: z.string(),
  url: z.string(),
  sha256: z.string(),
  notes: z.string(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  rollouts: z.int(),
})

export const listPackages = listEndpoint({
  name: 'device.listPackages',
  path: '/api/app-packages',
  access: 'machine.publish',
  summary: "The merchant's software packages, newest first",
  filters: {},
  sorts: ['newest'],
  item: appPackage,
})

export const addPackage = endpoint({
  name: 'device.addPackage',
  method: 'POST',
  path: '/api/app-packages',
  access: 'machine.publish',
  writes: true,
  input: z.strictObject({
    version: z
      .string()
      .trim()
      .regex(/^\d+(\.\d+){1,3}([-+][A-Za-z0-9.]{1,16})?$/)
      .max(40),
    /** Machines fetch it themselves: encrypted, and checked against the sum. */
    url: z.url({ protocol: /^https$/ }).max(400),
    sha256: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{64}$/),
    notes: z.string().trim().max(1000).default(''),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['software.versionTaken'],
  summary: 'Name a software package: where it lies, and the sum that machines check',
})

export const listVersions = endpoint({
  name: 'device.listVersions',
  method: 'GET',
  path: '/api/app-versions',
  access: 'machine.read',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(z.object({ version: z.string().nullable(), machines: z.int(), online: z.int() })),
  }),
  summary: 'Which versions the machines in sight said that they run',
})

const rollout = z.object({
  id: z.int(),
  version: z.string(),
  state: z.enum(rolloutState.states),
  wave: z.int(),
  waveCount: z.int(),
  waves: z.array(z.int()),
  failureLimitPercent: z.int(),
  machines: z.int(),
  asked: z.int(),
  done: z.int(),
  failed: z.int(),
  missed: z.int(),
  reason: z.string(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  endedAt: zInstant.nullable(),
})
export type Rollout = z.output<typeof rollout>

export const listRollouts = listEndpoint({
  name: 'device.listRollouts',
  path: '/api/rollouts',
  access: 'machine.publish',
  summary: 'Software updates in waves that touch machines in sight, counted from those, newest first',
  filters: { state: zAnyOf(rolloutState.states).optional() },
  sorts: ['newest'],
  item: rollout,
})

export const rolloutFields = {
  version: { kind: 'code' },
  state: stateField('rolloutState', rolloutState, {
    running: 'busy',
    paused: 'warn',
    stopped: 'bad',
    done: 'good',
    rolled_back: 'idle',
  }),
  wave: { kind: 'count' },
  waveCount: { kind: 'count' },
  machines: { kind: 'count' },
  asked: { kind: 'count' },
  done: { kind: 'count' },
  failed: { kind: 'count' },
  missed: { kind: 'count' },
  reason: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const getRollout = endpoint({
  name: 'device.getRollout',
  method: 'GET',
  path: '/api/rollouts/{id}',
  access: 'machine.publish',
  input: z.strictObject({ id: zId }),
  output: rollout.extend({
    packageVersionUrl: z.string(),
    sha256: z.string(),
    notes: z.string(),
    rowVersion: z.int(),
    /** All of its machines are in sight: only then may it be paused, resumed or rolled back. */
    isWhole: z.boolean(),
    byWave: z.array(
      z.object({
        wave: z.int(),
        machines: z.int(),
        open: z.int(),
        done: z.int(),
        failed: z.int(),
        missed: z.int(),
      }),
    ),
    failures: z.array(
      z.object({ machineCode: z.string(), machineName: z.string(), wave: z.int(), detail: z.string().nullable() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One update: each wave, and where it failed, of the machines in sight',
})

/** Per cent of all machines by the end of each wave. */
export const usualWaves = [1, 10, 50, 100] as const

export const startRollout = endpoint({
  name: 'device.startRollout',
  method: 'POST',
  path: '/api/rollouts',
  access: 'machine.publish',
  writes: true,
  input: z.strictObject({
    packageId: zId,
    filter: z.strictObject(machineFilter),
    count: z.int().min(0).max(1_000_000),
    waves: z.array(z.int().min(1).max(100)).min(1).max(8),
    failureLimitPercent: z.int().min(0).max(50),
    reason: zReason,
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'software.waves', 'software.nobody', 'software.changed', 'software.busy'],
  summary: 'Update machines wave by wave; it stops by itself when too many fail',
})

const moveOf = (verb: 'pause' | 'resume' | 'rollBack', path: string, summary: string) =>
  endpoint({
    name: `device.${verb}Rollout`,
    method: 'POST',
    path: `/api/rollouts/{id}/${path}`,
    access: 'machine.publish',
    writes: true,
    input: z.strictObject({ id: zId, reason: zReason }),
    output: z.object({ id: z.int() }),
    refusals: ['request.notFound', 'software.unseen', 'software.state'],
    summary,
  })
export const pauseRollout = moveOf('pause', 'pause', 'Ask no further machines for the moment')
export const resumeRollout = moveOf('resume', 'resume', 'Go on with the waves')
export const rollBackRollout = moveOf('rollBack', 'roll-back', 'Send the machines that took it back to the one before')
