// Settings of a broker that do not depend on where it runs.

export type KafkaSettings = Readonly<Record<string, string | number>>;

/** Everything is durable on as many nodes as there are; what a test would only wait for is short. */
export function kafkaSettings(replicas: number): KafkaSettings {
  const inSyncMin = replicas === 1 ? 1 : 2;
  return {
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "default.replication.factor": replicas,
    "min.insync.replicas": inSyncMin,
    "offsets.topic.replication.factor": replicas,
    "transaction.state.log.replication.factor": replicas,
    "transaction.state.log.min.isr": inSyncMin,
    "share.coordinator.state.topic.replication.factor": replicas,
    "share.coordinator.state.topic.min.isr": inSyncMin,
    // 50 each by default, all of which are opened, led and recovered after a kill.
    "offsets.topic.num.partitions": 5,
    "transaction.state.log.num.partitions": 5,
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": 0,
    // A killed or frozen node loses its partitions after this long in place of 9 s.
    "broker.session.timeout.ms": 3_000,
    "broker.heartbeat.interval.ms": 500,
    // 128 MB by default, half of the heap.
    "log.cleaner.dedupe.buffer.size": 8_388_608,
  };
}
