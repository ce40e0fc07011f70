import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { addDoctor, editDoctor } from '@aisle/contract/people/doctor'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { refuseGreater } from '../identity/public'
import * as store from './doctor.store'
import { insertPerson } from './user.commands'
import { addFirstLicence } from '../merchant/public'
import { findInSight, findMerchant } from './user.store'

type Changed = { id: number }

/** A person of the kind that sees only bound machines, without roles: those are given where all roles are. */
export async function add(ctx: CommandContext, input: InputOf<typeof addDoctor>): Promise<OutputOf<typeof addDoctor>> {
  const { merchantId = ctx.actor.merchantId, account, name, phone, language, ...rest } = input
  const { profession, hospitalId, department } = rest
  if (!(await findMerchant(ctx.tx, sightOf(ctx.actor), merchantId))) refuse('request.notFound')
  await checkHospital(ctx, merchantId, hospitalId)
  if (rest.licenceValidTo !== null && rest.licenceValidTo < rest.licenceValidFrom) refuse('licence.period')
  const person = { merchantId, account, name, phone, language, email: null, organisationId: null }
  const given = await insertPerson(ctx, { ...person, kind: 'doctor' })
  const { id } = given
  await store.putWork(ctx.tx, id, { profession, hospitalId, department })
  await addFirstLicence(ctx.tx, {
    merchantId,
    userId: id,
    holder: name,
    profession,
    number: rest.licenceNumber,
    issuedBy: rest.licenceIssuedBy,
    validFrom: rest.licenceValidFrom,
    validTo: rest.licenceValidTo,
    at: ctx.now(),
  })
  const after = { account, name, kind: 'doctor', profession, hospitalId, department, licenceNumber: rest.licenceNumber }
  await ctx.audit({ merchantId, objectKind: 'user', objectId: id, before: null, after })
  return given
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editDoctor>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const person = existing(await findInSight(ctx.tx, sightOf(ctx.actor), id, 'lock'))
  if (!(await store.isDoctor(ctx.tx, person))) refuse('request.notFound')
  if (id !== ctx.actor.userId) await refuseGreater(ctx, id)
  const row = await store.findWork(ctx.tx, id)
  const { version: rowVersion, ...before } = row ?? { ...NOWHERE, version: 1 }
  refuseStale(ctx, { version }, { version: rowVersion }, before, wanted)
  if (wanted.hospitalId !== before.hospitalId) await checkHospital(ctx, person.merchantId, wanted.hospitalId)
  await store.putWork(ctx.tx, id, wanted)
  await ctx.audit({ merchantId: person.merchantId, objectKind: 'user', objectId: id, before, after: wanted })
  return { id }
}

const NOWHERE: store.Work = { profession: 'doctor', hospitalId: null, department: '' }

async function checkHospital(ctx: CommandContext, merchantId: number, hospitalId: number | null): Promise<void> {
  if (hospitalId === null) return
  if (!(await store.isOpenHospital(ctx.tx, merchantId, hospitalId))) refuse('request.notFound')
}
