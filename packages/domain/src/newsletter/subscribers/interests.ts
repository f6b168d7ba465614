import { type Interests, type Topic, topics } from '@uprez/contracts/policy/newsletter';
import { type StatusService, statusServices } from '@uprez/contracts/policy/status';

type Stored = { topics: Topic[]; services: StatusService[] };

/**
 * Returns interests in their canonical form: sorted, and with services only for the topic `status`. An empty list of
 * services means all of them.
 */
export function normalize({ topics: chosen, services }: Interests): Stored {
  const isAll = !chosen.includes('status') || statusServices.every((service) => services.includes(service));
  return {
    topics: topics.filter((topic) => chosen.includes(topic)),
    services: isAll ? [] : statusServices.filter((service) => services.includes(service)),
  };
}

/** Returns the union of two sets of interests. */
export function addInterests(one: Interests, other: Interests): Stored {
  const ofStatus = [one, other].filter((interests) => interests.topics.includes('status'));
  const isAll = ofStatus.some(({ services }) => services.length === 0);
  const services = isAll ? [] : ofStatus.flatMap((interests) => interests.services);
  return normalize({ topics: [...one.topics, ...other.topics], services });
}

/** Whether held interests include all wanted interests. */
export function coversInterests(held: Interests, wanted: Interests): boolean {
  const both = addInterests(held, wanted);
  const { topics: heldTopics, services } = normalize(held);
  return both.topics.length === heldTopics.length && both.services.length === services.length;
}
