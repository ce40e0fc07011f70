import { getTest, listTests, noteTest, startTest, stopTest } from '@aisle/contract/device/machineTest'
import { getSelfChecks, listSelfChecks } from '@aisle/contract/device/selfCheck'
import {
  addPackage,
  getRollout,
  listPackages,
  listRollouts,
  listVersions,
  pauseRollout,
  resumeRollout,
  rollBackRollout,
  startRollout,
} from '@aisle/contract/device/software'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import * as test from './machineTest.commands'
import * as tests from './machineTest.reads'
import * as rollout from '../command/rollout.commands'
import * as rollouts from '../command/rollout.reads'
import * as checks from './selfCheck.reads'

export const routes: Route[] = [
  ...listOf(listTests, (ctx, input) => tests.listTestsIn(sightOf(ctx.actor), input)),
  query(getTest, async (ctx, { id }) => existing(await tests.findMachineTestDetail(ctx.db, sightOf(ctx.actor), id))),
  command(startTest, test.start),
  command(stopTest, test.stop),
  command(noteTest, test.note),
  ...listOf(listSelfChecks, (ctx, input) => checks.listSelfChecksIn(sightOf(ctx.actor), input, ctx.now())),
  query(getSelfChecks, async (ctx, { id }) =>
    existing(await checks.findSelfCheckDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())),
  ),
  ...listOf(listPackages, (ctx) => rollouts.packages(sightOf(ctx.actor))),
  command(addPackage, rollout.add),
  query(listVersions, (ctx) => rollouts.versions(ctx.db, sightOf(ctx.actor), ctx.now())),
  ...listOf(listRollouts, (ctx, input) => rollouts.listRolloutsIn(sightOf(ctx.actor), input)),
  query(getRollout, async (ctx, { id }) => existing(await rollouts.findRolloutDetail(ctx.db, sightOf(ctx.actor), id))),
  command(startRollout, rollout.start),
  command(pauseRollout, rollout.pause),
  command(resumeRollout, rollout.resume),
  command(rollBackRollout, rollout.rollBack),
]
