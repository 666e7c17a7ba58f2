import { isObject, listAt, type JsonObject } from '../merge/json.js';

/** Set a field that is absent. */
export function setDefault(target: JsonObject, key: string, value: unknown): void {
  if (target[key] === undefined) target[key] = value;
}

/** The object at a key, if there is one: a part of the draft, to be written to. */
export function partOf(target: unknown, key: string): JsonObject | undefined {
  const part = isObject(target) ? target[key] : undefined;
  return isObject(part) ? part : undefined;
}

export function itemsOf(target: unknown, key: string): JsonObject[] {
  return listAt(target, key).filter(isObject);
}

/** Fill in what a kube-apiserver fills in for a pod spec. Writes into the draft. */
export function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'securityContext', {});
  setDefault(spec, 'schedulerName', 'default-scheduler');
  if (spec['serviceAccountName'] !== undefined) spec['serviceAccount'] = spec['serviceAccountName'];
  else if (spec['serviceAccount'] !== undefined)
    spec['serviceAccountName'] = spec['serviceAccount'];
  for (const container of [...itemsOf(spec, 'containers'), ...itemsOf(spec, 'initContainers')]) {
    defaultContainer(container, spec['hostNetwork'] === true);
  }
  for (const volume of itemsOf(spec, 'volumes')) defaultVolume(volume);
  for (const constraint of itemsOf(spec, 'topologySpreadConstraints')) {
    setDefault(constraint, 'whenUnsatisfiable', 'DoNotSchedule');
  }
}

function defaultContainer(container: JsonObject, hostNetwork: boolean): void {
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  setDefault(
    container,
    'imagePullPolicy',
    isLatest(String(container['image'] ?? '')) ? 'Always' : 'IfNotPresent',
  );
  setDefault(container, 'resources', {});
  for (const port of itemsOf(container, 'ports')) {
    setDefault(port, 'protocol', 'TCP');
    if (hostNetwork) setDefault(port, 'hostPort', port['containerPort']);
  }
  for (const key of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = partOf(container, key);
    if (probe !== undefined) defaultProbe(probe);
  }
  const lifecycle = partOf(container, 'lifecycle');
  for (const hook of ['postStart', 'preStop'])
    defaultHttpGet(partOf(partOf(lifecycle, hook), 'httpGet'));
  for (const env of itemsOf(container, 'env')) {
    const fieldRef = partOf(partOf(env, 'valueFrom'), 'fieldRef');
    if (fieldRef !== undefined) setDefault(fieldRef, 'apiVersion', 'v1');
  }
}

/** Requests default to limits, in pods only: templates keep what was written. */
export function defaultRequests(spec: JsonObject): void {
  for (const container of [...itemsOf(spec, 'containers'), ...itemsOf(spec, 'initContainers')]) {
    const resources = partOf(container, 'resources');
    const limits = partOf(resources, 'limits');
    if (resources === undefined || limits === undefined) continue;
    resources['requests'] = { ...limits, ...partOf(resources, 'requests') };
  }
}

/** An image without a tag, or with `latest`, is pulled each time. */
function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest';
}

function defaultProbe(probe: JsonObject): void {
  setDefault(probe, 'timeoutSeconds', 1);
  setDefault(probe, 'periodSeconds', 10);
  setDefault(probe, 'successThreshold', 1);
  setDefault(probe, 'failureThreshold', 3);
  defaultHttpGet(partOf(probe, 'httpGet'));
  const grpc = partOf(probe, 'grpc');
  if (grpc !== undefined) setDefault(grpc, 'service', '');
}

function defaultHttpGet(action: JsonObject | undefined): void {
  if (action === undefined) return;
  setDefault(action, 'scheme', 'HTTP');
  setDefault(action, 'path', '/');
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).length === 1) volume['emptyDir'] = {};
  for (const key of ['configMap', 'secret', 'downwardAPI', 'projected']) {
    const source = partOf(volume, key);
    if (source !== undefined) setDefault(source, 'defaultMode', 420);
  }
  const hostPath = partOf(volume, 'hostPath');
  if (hostPath !== undefined) setDefault(hostPath, 'type', '');
  const downward = [partOf(volume, 'downwardAPI')];
  for (const source of itemsOf(partOf(volume, 'projected'), 'sources')) {
    const token = partOf(source, 'serviceAccountToken');
    if (token !== undefined) setDefault(token, 'expirationSeconds', 3600);
    downward.push(partOf(source, 'downwardAPI'));
  }
  for (const source of downward) {
    for (const item of itemsOf(source, 'items')) {
      const fieldRef = partOf(item, 'fieldRef');
      if (fieldRef !== undefined) setDefault(fieldRef, 'apiVersion', 'v1');
    }
  }
}
