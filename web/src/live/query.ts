import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  QueryClient,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { type CallOptions, call } from './call'
import { CallFailure } from './failure'
import { randomId } from './id'
import { onBack } from './reach'

/**
 * One try a call: a person decides whether to try again, and sees one error, not four. Without a network it fails at
 * once too: what waits unseen for the network would be sent when nobody thinks of it any more.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

onBack(() => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }))

type Shown = Pick<CallOptions, 'errors'>
type QueryOptions<E extends Endpoint> = Shown &
  Omit<UseQueryOptions<OutputOf<E>, CallFailure>, 'queryKey' | 'queryFn' | 'select'>

const keyOf = (endpoint: Endpoint, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.name] : [endpoint.name, input]

/** Reads. A failure is a toast unless `errors` says otherwise; the page then only offers to try again. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: QueryOptions<E> = {},
): UseQueryResult<OutputOf<E>, CallFailure> {
  const { errors = 'toast', ...query } = options
  return useQuery<OutputOf<E>, CallFailure>({
    ...query,
    queryKey: keyOf(endpoint, input),
    queryFn: () => call(endpoint, input, { errors }),
  })
}

/**
 * Writes. When no answer came, the next try of the same input repeats the same key, so that it cannot count twice.
 * @param options.errors `throw` where the form or dialog shows the failure itself
 */
export function useCommand<E extends Endpoint>(
  endpoint: E,
  options: Shown & { onSuccess?: (output: OutputOf<E>, input: CallOf<E>) => unknown } = {},
): UseMutationResult<OutputOf<E>, CallFailure, CallOf<E>> {
  const { errors = 'toast', onSuccess } = options
  const attempt = useRef<{ text: string; key: string } | null>(null)
  return useMutation<OutputOf<E>, CallFailure, CallOf<E>>({
    mutationFn: async (input) => {
      const text = JSON.stringify(input)
      if (attempt.current?.text !== text) attempt.current = { text, key: randomId() }
      try {
        const output = await call(endpoint, input, { errors, idempotencyKey: attempt.current.key })
        attempt.current = null
        return output
      } catch (failure) {
        const isAnswered = failure instanceof CallFailure && failure.status > 0 && failure.status < 500
        if (isAnswered) attempt.current = null
        throw failure
      }
    },
    ...(onSuccess ? { onSuccess: (output, input) => onSuccess(output, input) } : {}),
  })
}

/** Every reading of these endpoints on the screen is fetched again, and of a list how many rows there are. */
export async function refetch(...endpoints: readonly (Endpoint & { count?: Endpoint })[]): Promise<void> {
  const calls = endpoints.flatMap((each) => (each.count ? [each, each.count] : [each]))
  await Promise.all(calls.map((each) => queryClient.invalidateQueries({ queryKey: keyOf(each) })))
}
