import { type ComponentProps, use } from 'react'
import { toast } from '../ui/feedback/notice'
import { CommandButton } from './commandButton'
import type { WriteEndpoint } from './form/useForm'
import { RowDrawerContext } from './rowDrawer'

/** The verb that leaves nothing to show: it says so and closes the drawer. `changes` are lists, not the thing. */
export function RemoveButton<E extends WriteEndpoint>(
  props: Omit<ComponentProps<typeof CommandButton<E>>, 'tone' | 'onDone'>,
) {
  const { close } = use(RowDrawerContext)
  const removed = () => {
    toast('good', props.t.any(`verb.${props.verb}.done`, props.vars))
    close()
  }
  return <CommandButton {...props} tone="danger" onDone={removed} />
}
