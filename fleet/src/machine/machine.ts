import { upTopic } from '@aisle/contract/device/topics'
import { takeAnswer } from '../link/asking'
import { playAdverts } from './adverts'
import { closeRestart, obey, STOPPED_NOTE } from './commands'
import { resume, takeAcks } from '../link/delivery'
import { encodeMessage, newBoot, sealWill } from '../link/envelope'
import { readAcks, readAnswer, readCommand } from '../link/incoming'
import { fingerprint, toldPlan, toldSets } from './memory'
import { type Channel, type Link, SIGN_IN_REFUSED } from '../link/link'
import { type StockNote, whenMotorIsFree } from './motor'
import { between, hash32, type Random, seeded, spread } from '../random'
import { sayAudit } from './audit'
import { awaitRepair, recordTemperature, sayChatter, sayHeartbeat, sayPresence, saySnapshot } from '../reports'
import { closeInterrupted } from './ship'
import { type Machine, type MachinePlan, steadyMs, type Slot, type SlotPlan, wallMs, type World } from '../world'

export type MachineOptions = { seed?: number; skewMs?: number }

/** A machine as it stands there, switched off; what it wrote down in an earlier life is read again. */
export function createMachine(world: World, plan: MachinePlan, options: MachineOptions = {}): Machine {
  const { code, secret, timeZone, category } = plan
  const random: Random = seeded(hash32(code) ^ (options.seed ?? 0))
  const memory = world.outbox.memory(code)
  return {
    world,
    code,
    secret,
    timeZone,
    category,
    takesCash: plan.takesCash ?? (category !== 'medicine' && hash32(`cash ${code}`) % 10 < 6),
    isHighGo: plan.isHighGo ?? false,
    sells: plan.sells ?? null,
    sets: toldSets({ world, code }) ?? plan.sets ?? [],
    prescriptions: (plan.prescriptions ?? []).map((each) => ({ ...each, freeFromMs: 0 })),
    codes: (plan.codes ?? []).map((held) => ({ code: held, freeFromMs: 0 })),
    cards: (plan.cards ?? []).map((held) => ({ code: held, freeFromMs: 0 })),
    vouchers: (plan.vouchers ?? []).map((held) => ({ code: held, freeFromMs: 0 })),
    slots: slotsOf({ world, code }, plan),
    plan: fingerprint(plan.slots),
    isDoorOpen: false,
    testingUntilMs: 0,
    random,
    skewMs: options.skewMs ?? 0,
    warmerBy: 0,
    hasLowChange: false,
    boot: newBoot(world.clock.wallMs(), world.clock.steadyMs()),
    link: null,
    isOn: false,
    isUp: false,
    isSaleStopped: (memory.get(STOPPED_NOTE) ?? plan.isStopped) === true,
    isBusy: false,
    isHurried: false,
    outageUntilMs: 0,
    failedConnects: 0,
    orderCount: 0,
    turns: 0,
    question: null,
    awaited: null,
    givenUp: [],
    screen: { lists: 0, questions: 0, playedMs: 0, runs: 0, carried: new Map() },
    motor: Promise.resolve(),
    tickets: { connect: null, pump: null, beat: null, snapshot: null, audit: null, adverts: null, motor: null },
  }
}

/** As it was told since, else as the file says; what the file put into a slot is still in it when the product is. */
function slotsOf(machine: { world: World; code: string }, plan: MachinePlan): Slot[] {
  const memory = machine.world.outbox.memory(machine.code)
  const inFile = new Map(plan.slots.map((slot) => [slot.code, slot]))
  const slots: SlotPlan[] = toldPlan(machine, plan.slots)?.slots ?? plan.slots
  return slots.map((slot) => {
    const file = inFile.get(slot.code)
    const isSame = file?.product === slot.product
    const { stock, traceCodes = [], lapsed = null } = isSame ? file : slot
    const lot = file?.lot ? { lot: file.lot } : {}
    const plan = { ...slot, stock, traceCodes, lapsed, fault: file?.fault ?? null, ...lot }
    return slotWithNote(plan, memory.get(`stock:${slot.code}`))
  })
}

/** Our own count goes on, unless the plan has been written anew since: then the plan knows better. */
function slotWithNote(plan: SlotPlan, value: unknown): Slot {
  const note = value as Partial<StockNote> | undefined
  const isOurs = note?.planned === plan.stock && note.product === plan.product
  return {
    ...plan,
    stock: isOurs ? (note.left ?? plan.stock) : plan.stock,
    plannedStock: plan.stock,
    fault: plan.fault ?? null,
    isLocked: plan.isLocked ?? false,
    isStopped: plan.isStopped ?? false,
    struckFen: plan.struckFen ?? null,
    memberFen: plan.memberFen ?? null,
    isMedicine: plan.isMedicine ?? false,
    closedUntilMs: 0,
    traceCodes: (isOurs && note.traceCodes) || (plan.traceCodes ?? []),
    lapsed: isOurs && note.lapsed !== undefined ? note.lapsed : (plan.lapsed ?? null),
    sold: note?.sold ?? 0,
    soldFen: note?.soldFen ?? 0,
    soldCashFen: note?.soldCashFen ?? 0,
    moves: (isOurs && note.moves) || [],
  }
}

/** Starts the machine's program; the first connection is made after `afterMs`. */
export async function powerOn(machine: Machine, afterMs = 0): Promise<void> {
  const { wheel, settings } = machine.world
  machine.boot = newBoot(wallMs(machine), steadyMs(machine))
  machine.isOn = true
  const { tickets, code } = machine
  const outageMs = machine.outageUntilMs - steadyMs(machine)
  tickets.connect = wheel.after(Math.max(afterMs, outageMs), () => connect(machine))
  tickets.beat = wheel.every(settings.heartbeatMs, () => beat(machine), spread(code, settings.heartbeatMs))
  tickets.audit = wheel.every(
    settings.auditMs,
    () => void sayAudit(machine, 'interval'),
    spread(code, settings.auditMs),
  )
  machine.screen.playedMs = steadyMs(machine)
  tickets.adverts = wheel.every(settings.advertMs, () => playAdverts(machine), spread(code, settings.advertMs))
  tickets.snapshot = wheel.every(settings.snapshotMs, () => report(machine), spread(code, settings.snapshotMs))
  for (const slot of machine.slots) if (slot.fault) awaitRepair(machine, slot)
  await closeInterrupted(machine)
  await closeRestart(machine)
}

function report(machine: Machine): void {
  saySnapshot(machine)
  sayChatter(machine)
}

/** Medicine is watched without a link, too: what was measured is told later. */
function beat(machine: Machine): void {
  sayHeartbeat(machine)
  if (machine.category === 'medicine') void recordTemperature(machine)
}

/** Says goodbye and leaves; what was not acknowledged stays in the outbox for the next start. */
export async function powerOff(machine: Machine, reason: string): Promise<void> {
  sayPresence(machine, false, reason)
  const { link, tickets } = machine
  forgetCustomer(machine)
  machine.isOn = false
  machine.isUp = false
  machine.link = null
  const { connect: reconnect, pump, beat: beats, snapshot, audit, adverts } = tickets
  for (const ticket of [reconnect, pump, beats, snapshot, audit, adverts]) machine.world.wheel.cancel(ticket)
  await link?.close()
}

/** The network is gone for a while, without a goodbye; the machine goes on selling what it may sell alone. */
export function loseNetwork(machine: Machine, forMs: number): void {
  machine.outageUntilMs = steadyMs(machine) + forMs
  machine.link?.cut()
}

function connect(machine: Machine): void {
  const { world, code, secret } = machine
  const will = sealWill(machine.boot, wallMs(machine), machine)
  const link: Link = world.openLink(
    {
      url: world.settings.url,
      code,
      secret,
      will: { topic: upTopic(code, 'presence'), payload: encodeMessage(will, wallMs(machine), machine.timeZone) },
      wheel: world.wheel,
    },
    {
      up: () => machine.link === link && comeUp(machine),
      down: (reason) => machine.link === link && goDown(machine, reason),
      message: (channel, payload) => machine.link === link && receive(machine, channel, payload),
    },
  )
  machine.link = link
}

/** Presence first: it tells the server that the machine listens, so commands that waited may come. */
function comeUp(machine: Machine): void {
  machine.isUp = true
  machine.failedConnects = 0
  machine.world.count('connected')
  const isFirst = !machine.boot.isAnnounced
  machine.boot.isAnnounced = true
  sayPresence(machine, true, isFirst ? 'started' : 'back')
  if (isFirst) saySnapshot(machine)
  sayHeartbeat(machine)
  resume(machine)
}

function goDown(machine: Machine, reason: string): void {
  const { world } = machine
  const [shortest, longest] = world.settings.reconnectMs
  machine.link = null
  machine.isUp = false
  machine.question?.answer(null)
  if (reason === SIGN_IN_REFUSED) world.count('signInRefused')
  // Half as long again each time, not twice: a server that restarts is back within seconds, and so should we be.
  const grownMs = Math.min(longest, shortest * 1.5 ** machine.failedConnects)
  const backoffMs = reason === SIGN_IN_REFUSED ? longest : grownMs
  machine.failedConnects += 1
  const waitMs = Math.max(
    machine.outageUntilMs - steadyMs(machine),
    between(machine.random, [backoffMs / 2, backoffMs]),
  )
  machine.tickets.connect = world.wheel.after(waitMs, () => connect(machine))
}

function receive(machine: Machine, channel: Channel, payload: Buffer): void {
  if (channel === 'ack') {
    const acks = readAcks(payload)
    if (acks) return takeAcks(machine, acks)
  }
  if (channel === 'answer') {
    const answer = readAnswer(payload)
    if (answer) return takeAnswer(machine, answer)
  }
  if (channel === 'cmd') {
    const command = readCommand(payload)
    if (command) {
      void obey(machine, command, () => void whenMotorIsFree(machine, () => restart(machine)))
      return
    }
  }
  machine.world.count('unreadable')
}

async function restart(machine: Machine): Promise<void> {
  await powerOff(machine, 'restart')
  await machine.world.wheel.pause(between(machine.random, machine.world.settings.rebootMs))
  machine.isBusy = false
  await powerOn(machine)
}

function forgetCustomer(machine: Machine): void {
  machine.question?.answer(null)
  machine.awaited?.end('interrupted')
}
