// Agent classes as host code passes them: any concrete class, constructed by `launch` unless told otherwise.

// biome-ignore lint/suspicious/noExplicitAny: an agent's constructor may take anything; `create` supplies it.
export type AgentConstructor<Agent extends object = object> = new (...args: any[]) => Agent;
