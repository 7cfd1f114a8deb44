import {
  Catch,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ExternalContextCreator, type ApplicationConfig, type NestContainer } from '@nestjs/core';
import type { Observable } from 'rxjs';
import type { HostEnhancers } from './enhancers.js';
import type { HandlerCall } from './handler-call.js';
import type { HandlerHost, HostModule } from './handler-host.js';

/** Whether global guards run on handlers too, or on the endpoint alone. */
export type GlobalGuards = 'both' | 'endpoint';

export interface ConfigViewOptions {
  readonly globalGuards: GlobalGuards;
  /** An interceptor of ours notes that the guards have passed. */
  readonly marksGuards: boolean;
}

const none = (): [] => [];

class GuardMarker implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.getArgByIndex<HandlerCall>(4).guardsPassed = true;
    return next.handle();
  }
}

/** Stands behind the host's own filters: Nest's default would log what the protocol logs itself or passes on. */
@Catch()
class Rethrow implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}

const marker = new GuardMarker();
const rethrow = new Rethrow();

/**
 * The application's configuration as handlers see it, live. Global interceptors, pipes and filters act on the endpoint
 * alone: they speak HTTP, and would wrap results or answer the response in the middle of a call.
 */
export function configView(config: ApplicationConfig, options: ConfigViewOptions): ApplicationConfig {
  const view = Object.create(config) as ApplicationConfig;
  return Object.assign(view, {
    getGlobalPipes: none,
    getGlobalRequestPipes: none,
    // Global interceptors run first, that is right behind the guards.
    getGlobalInterceptors: options.marksGuards ? () => [marker] : none,
    getGlobalRequestInterceptors: none,
    // Global filters are asked last.
    getGlobalFilters: () => [rethrow],
    getGlobalRequestFilters: none,
    ...(options.globalGuards === 'endpoint' ? { getGlobalGuards: none, getGlobalRequestGuards: none } : {}),
  });
}

/**
 * The host's module as Nest's context creators see it: they look for hosts among providers alone, so the enhancers of a
 * controller would be lost, and for enhancers among those that Nest itself found.
 */
function moduleView(host: HandlerHost, enhancers: HostEnhancers): HostModule {
  return Object.create(host.module, {
    providers: { value: new Map([[host.classRef, host.wrapper]]) },
    injectables: { value: enhancers.injectables },
    hasProvider: { value: () => true },
  }) as HostModule;
}

/** Nest's creator of handler pipelines, over these views. */
export function contextCreator(
  config: ApplicationConfig,
  host: HandlerHost,
  enhancers: HostEnhancers,
): ExternalContextCreator {
  const modules = new Map([[host.module.token, moduleView(host, enhancers)]]);
  // These two members are all that `fromContainer` reads; the container itself cannot be had by public means.
  const container = { applicationConfig: config, getModules: () => modules } as unknown as NestContainer;
  return ExternalContextCreator.fromContainer(container);
}
